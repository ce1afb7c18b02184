"use client";

import { useEffect, useState } from "react";
import { useConversations } from "@/lib/browser/stores/conversations";

const formatter = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const megabytes = (bytes: number): string => `${formatter.format(bytes / 1e6)} MB`;

/** What this browser keeps, and how much it allows. */
export function DataTab() {
  const conversations = useConversations((state) => state.list.length);
  const loaded = useConversations((state) => state.loaded);
  const load = useConversations((state) => state.load);
  const [estimate, setEstimate] = useState<StorageEstimate>();
  useEffect(() => {
    void load();
    navigator.storage?.estimate?.().then(setEstimate, () => {});
  }, [load]);
  return (
    <div className="space-y-3">
      <p className="text-sm text-ink-2">
        Conversations, settings and keys are stored in this browser and nowhere else. The server
        keeps the log of a run for a few minutes, so that a reload can go on with it.
      </p>
      <p role="status" className="rounded-2xl border border-line bg-raised p-4 text-sm">
        {loaded
          ? `${conversations} ${conversations === 1 ? "conversation" : "conversations"}`
          : "Counting…"}
        {estimate?.usage === undefined ? "" : `, ${megabytes(estimate.usage)} in use`}
        {estimate?.quota === undefined ? "" : ` of ${megabytes(estimate.quota)} allowed`}
      </p>
    </div>
  );
}
