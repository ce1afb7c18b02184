"use client";

import { useState } from "react";

export type ApprovalAnswer = { decision: "allow" | "deny"; always?: boolean };

/** Asks whether a call may run. Shown as long as the call waits, after a reload and in every tab. */
export function ToolApproval({
  label,
  onAnswer,
}: {
  label: string;
  onAnswer: (answer: ApprovalAnswer) => Promise<void>;
}) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const send = async (answer: ApprovalAnswer): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await onAnswer(answer);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : "The answer could not be sent.");
      setSending(false);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div role="group" aria-label={`Allow ${label}?`} className="tool-approval">
      <button type="button" disabled={sending} onClick={() => void send({ decision: "allow" })}>
        Allow
      </button>
      <button type="button" disabled={sending} onClick={() => void send({ decision: "deny" })}>
        Deny
      </button>
      <button
        type="button"
        disabled={sending}
        onClick={() => void send({ decision: "allow", always: true })}
      >
        Always allow
      </button>
      {error ? (
        <p role="alert" className="tool-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
