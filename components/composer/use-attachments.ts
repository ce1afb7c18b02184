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

/** The pictures of the message that is being written. */
export function useAttachments(): Attachments {
  const [list, setList] = useState<Attachment[]>([]);
  const [reading, setReading] = useState(0);
  const [error, setError] = useState<string>();

  async function add(files: Iterable<File>): Promise<void> {
    const chosen = [...files];
    const room = MOST_ATTACHMENTS - list.length;
    setError(
      chosen.length > room ? `A message takes at most ${MOST_ATTACHMENTS} pictures.` : undefined,
    );
    const taken = chosen.slice(0, Math.max(0, room));
    setReading((count) => count + taken.length);
    for (const file of taken) {
      try {
        const attachment = await readAttachment(file, newId());
        setList((before) => [...before, attachment]);
      } catch (cause) {
        setError(cause instanceof Error ? cause.message : String(cause));
      } finally {
        setReading((count) => count - 1);
      }
    }
  }

  return {
    list,
    reading,
    error,
    add,
    remove: (id) => setList((before) => before.filter((attachment) => attachment.id !== id)),
    replace: (next) => {
      setList(next);
      setError(undefined);
    },
  };
}
