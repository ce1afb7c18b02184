/** Numbers as people read them. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 950 → "950", 12400 → "12.4K", 1000000 → "1M". */
export function formatTokens(tokens: number): string {
  return tokens < 1000 ? whole.format(tokens) : short.format(tokens);
}

/** US dollars: "$0.0042", "$0.31", "$12.40"; what is less than a hundredth of a cent is told as that. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.0001) return "<$0.0001";
  if (dollars < 0.01) return `$${dollars.toFixed(4)}`;
  return `$${dollars.toFixed(2)}`;
}

/** Prices per million tokens: "$3", "$0.40", "$1.25", "$0.075". */
export function formatPrice(dollars: number): string {
  const text = String(Number(dollars.toPrecision(3)));
  const [whole, decimals] = text.split(".");
  return decimals === undefined ? `$${text}` : `$${whole}.${decimals.padEnd(2, "0")}`;
}

/** Milliseconds: "85 ms", "3.2 s", "48 s", "2 min 5 s". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  const rest = rounded % 60;
  return `${Math.floor(rounded / 60)} min${rest ? ` ${rest} s` : ""}`;
}

/** A share between 0 and 1: "0%", "<1%", "37%". */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  return `${Math.round(share * 100)}%`;
}
