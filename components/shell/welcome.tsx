"use client";

import { navigateAfterSend } from "@/components/composer/after-send";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";

const suggestions = [
  "What time is it in Tokyo, and what is 12.5% of 840?",
  "Show me markdown: code, a table and a formula",
  "Write a long answer",
];

/** What an empty conversation shows; each suggestion is sent by a click. */
export function Welcome() {
  const model = useConversation((state) => state.model);
  const send = useConversation((state) => state.send);
  const find = useModels((state) => state.find);
  const found = find(model);
  return (
    <div className="mx-auto flex w-full max-w-(--measure) flex-1 flex-col justify-center px-4 py-8 sm:px-6">
      <h1 className="text-[1.75rem] leading-tight font-semibold tracking-tight text-balance">
        What can I help you with?
      </h1>
      <p className="mt-2 max-w-prose text-ink-2">
        {found?.provider.id === "demo" || !found
          ? "The demo answers at once, by rules and without a key. Add a key in the settings to talk to a real model."
          : `You are talking to ${found.model.name} by ${found.provider.name}.`}
      </p>
      <ul className="mt-6 grid gap-2 sm:grid-cols-3">
        {suggestions.map((text) => (
          <li key={text}>
            <button
              type="button"
              className="h-full w-full rounded-2xl border border-line bg-raised p-3.5 text-start text-sm text-ink-2 transition-colors hover:border-line-strong hover:text-ink"
              onClick={() => {
                send({ text }).then(navigateAfterSend, () => {});
              }}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
