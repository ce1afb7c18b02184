"use client";

import { RillMark } from "../ui/rill-mark";

const STARTERS: { title: string; text: string }[] = [
  { title: "Two tools at once", text: "What time is it in Tokyo, and what is 12.5% of 840?" },
  { title: "Explain something", text: "Explain how a large language model writes, word by word." },
  {
    title: "Write some code",
    text: "Write a function that groups a list by a key, in TypeScript.",
  },
];

/** The page before the first message. */
export function EmptyState({ onStart }: { onStart: (text: string) => void }) {
  return (
    <div className="empty">
      <RillMark size={40} className="text-accent" />
      <h2>What would you like to know?</h2>
      <ul className="starters" aria-label="Ways to begin">
        {STARTERS.map(({ title, text }) => (
          <li key={title}>
            <button type="button" className="starter" onClick={() => onStart(text)}>
              <span>{title}</span>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
