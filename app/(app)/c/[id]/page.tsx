/** The shell shows what the address names. */
export default function Page() {
  return null;
}
