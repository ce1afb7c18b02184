import { readPort, requireFreePort } from "./port.mjs";

/**
 * Where to listen: `PORT`, 3000 unless set, and `RILL_HOST`, loopback unless set. Fails with a sentence when that is taken.
 *
 * @returns {Promise<{ port: number, host: string, nextArguments: string[] }>}
 */
export async function chooseAddress() {
  const port = readPort(process.env.PORT, 3000);
  const host = process.env.RILL_HOST?.trim() || "127.0.0.1";
  await requireFreePort(port, host);
  return { port, host, nextArguments: ["-H", host, "-p", String(port)] };
}
