const shortcuts: [keys: string[], what: string][] = [
  [["Enter"], "Send the message"],
  [["Shift", "Enter"], "New line"],
  [["Esc"], "Stop the answer, while the message field has the focus"],
  [["Ctrl/⌘", "K"], "Command palette"],
  [["Ctrl/⌘", "Shift", "O"], "New chat"],
  [["?"], "Show these shortcuts, while no field has the focus"],
];

export function ShortcutsList() {
  return (
    <dl className="divide-y divide-line">
      {shortcuts.map(([keys, what]) => (
        <div key={what} className="flex items-center justify-between gap-4 py-2.5">
          <dt className="text-sm">{what}</dt>
          <dd className="flex flex-none gap-1">
            {keys.map((key) => (
              <kbd key={key} className="kbd">
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
