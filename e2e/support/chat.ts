import { expect, type Locator, type Page } from "@playwright/test";

/** The conversation page as its user knows it: by role and name. */
export class Chat {
  readonly log: Locator;
  readonly composer: Locator;
  readonly sendButton: Locator;
  readonly stopButton: Locator;

  constructor(readonly page: Page) {
    this.log = page.getByRole("log", { name: "Conversation" });
    this.composer = page.getByRole("textbox", { name: "Message", exact: true });
    this.sendButton = page.getByRole("button", { name: "Send", exact: true });
    this.stopButton = page.getByRole("button", { name: "Stop", exact: true });
  }

  async open(address = "/"): Promise<void> {
    await this.page.goto(address);
    await expect(this.composer).toBeEnabled();
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.composer.press("Enter");
  }

  /** Sends and waits for the whole answer. */
  async ask(text: string): Promise<void> {
    await this.send(text);
    await this.finished();
  }

  /** Until no run is active. A machine that does other things beside may take its time. */
  async finished(): Promise<void> {
    await expect(this.stopButton).toBeHidden({ timeout: 30_000 });
    await expect(this.log).not.toHaveAttribute("aria-busy", "true");
  }

  answers(): Locator {
    return this.log.locator('article[data-role="assistant"]');
  }

  toolCall(name: string | RegExp): Locator {
    return this.log.getByRole("group", { name });
  }

  async chooseModel(search: string, name: string | RegExp): Promise<void> {
    await this.page.getByRole("button", { name: /^Model: / }).click();
    const dialog = this.page.getByRole("dialog", { name: "Choose a model" });
    await dialog.getByRole("searchbox", { name: "Search models" }).fill(search);
    await dialog.getByRole("option", { name }).first().click();
    await expect(dialog).toBeHidden();
  }

  async chooseThinking(level: RegExp): Promise<void> {
    await this.page.getByRole("button", { name: /^Thinking: / }).click();
    await this.page
      .getByRole("menuitemradio", { name: level })
      .or(this.page.getByRole("option", { name: level }))
      .first()
      .click();
  }
}

export interface StoredEntry {
  id: string;
  parentId: string | null;
  seq: number;
  partial?: boolean;
  message: {
    role: string;
    content: string | { type: string; [key: string]: unknown }[];
    stopReason?: string;
    errorMessage?: string;
    api?: string;
    model?: string;
    [key: string]: unknown;
  };
}

/** All entries that IndexedDB holds, in the order in which they were made. */
export function storedEntries(page: Page): Promise<StoredEntry[]> {
  return page.evaluate(
    () =>
      new Promise<StoredEntry[]>((resolve, reject) => {
        const opening = indexedDB.open("rill");
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const all = database.transaction("entries").objectStore("entries").getAll();
          all.onerror = () => reject(all.error);
          all.onsuccess = () => {
            database.close();
            resolve((all.result as StoredEntry[]).sort((a, b) => a.seq - b.seq));
          };
        };
      }),
  );
}

/** The text of a stored message: its text blocks, joined. */
export function storedText(entry: StoredEntry | undefined): string {
  const content = entry?.message.content ?? "";
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? String(block.text) : "")).join("");
}
