/** A failure that a person can mend: its message says how, so no stack is shown. */
export class Explained extends Error {}

/**
 * Runs a command's main function: an `Explained` failure is printed as one sentence, any other with its stack.
 *
 * @param {() => Promise<number | undefined>} main gives the exit code, 0 when it gives none
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof Explained ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
