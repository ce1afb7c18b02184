import { useState } from "react";
import { newId } from "@/lib/browser/ids";
import { type Attachment, MOST_ATTACHMENTS, readAttachment } from "./attachments";

export interface Attachments {
  list: Attachment[];
  /** Files that are being read. */
  reading: number;
  /** Why the last file was not taken. */
  error?: string;
  add: (files: Iterable<File>) => Promise<void>;
  remove: (id: string) => void;
  replace: (list: Attachment[]) => void;
}

interface Pending {
  list: Attachment[];
  error?: string;
}
const NOTHING: Pending = { list: [] };

/**
 * The pictures of the message that is being written.
 * @param draft names the draft that they belong to; another draft has its own
 */
export function useAttachments(draft: string): Attachments {
  const [pending, setPending] = useState<Record<string, Pending>>({});
  const [reading, setReading] = useState(0);
  const { list, error } = pending[draft] ?? NOTHING;

  function change(next: (before: Pending) => Pending): void {
    setPending((all) => ({ ...all, [draft]: next(all[draft] ?? NOTHING) }));
  }

  async function add(files: Iterable<File>): Promise<void> {
    const chosen = [...files];
    const room = MOST_ATTACHMENTS - list.length;
    const tooMany = chosen.length > room;
    change((before) => ({
      list: before.list,
      ...(tooMany && { error: `A message takes at most ${MOST_ATTACHMENTS} pictures.` }),
    }));
    const taken = chosen.slice(0, Math.max(0, room));
    setReading((count) => count + taken.length);
    for (const file of taken) {
      try {
        const attachment = await readAttachment(file, newId());
        change((before) => ({ ...before, list: [...before.list, attachment] }));
      } catch (cause) {
        const told = cause instanceof Error ? cause.message : String(cause);
        change((before) => ({ ...before, error: told }));
      } finally {
        setReading((count) => count - 1);
      }
    }
  }

  return {
    list,
    reading,
    ...(error !== undefined && { error }),
    add,
    remove: (id) =>
      change((before) => ({
        ...before,
        list: before.list.filter((attachment) => attachment.id !== id),
      })),
    replace: (next) => change(() => ({ list: next })),
  };
}
