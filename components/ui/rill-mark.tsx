/** The sign of Rill: one line of water, from its spring on. */
export function RillMark({ size = 22, className }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      className={className}
      aria-hidden="true"
    >
      <circle cx="7" cy="4.25" r="1.9" fill="currentColor" stroke="none" />
      <path d="M7 9.25c0 3.1 4.1 3.2 6.4 4.6 2 1.2 2.5 3 .9 4.5" />
      <path d="M12 8.25c.4 2.2 3.7 2.3 5.4 4.1 2 2.1 1.9 5.3-.7 8.4" opacity=".45" />
      <path d="M7 14.75c.8 1.6 2.7 2.2 3.4 3.5.5 1 .3 1.9-.3 2.7" opacity=".7" />
    </svg>
  );
}
