export function Logo() {
  return (
    <span className="flex items-center gap-2">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-6 flex-none text-accent">
        <path
          d="M4 12c4-4 8-4 12 0s8 4 12 0M4 21c4-4 8-4 12 0s8 4 12 0"
          fill="none"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      <span className="text-[1.0625rem] font-semibold tracking-tight">Rill</span>
    </span>
  );
}
