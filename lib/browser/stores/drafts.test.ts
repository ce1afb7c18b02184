import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { readDrafts, storeDrafts } from "../db/drafts";
import { FakePage } from "../testing/fake-page";
import { freshDatabase } from "../testing/fresh-database";
import { settled } from "../testing/until";
import { type DraftsStore, draftsStore } from "./drafts";

beforeEach(freshDatabase);

function openPage() {
  const page = new FakePage();
  return { page, store: createStore<DraftsStore>()(draftsStore(page)) };
}

describe("drafts", () => {
  it("are shown at once and stored a moment later, the last text of each", async () => {
    const { page, store } = openPage();
    store.getState().setDraft("c1", "Hel");
    store.getState().setDraft("c1", "Hello");
    store.getState().setDraft(undefined, "Something new");
    expect(store.getState().drafts).toEqual({ c1: "Hello", new: "Something new" });
    expect(await readDrafts()).toEqual({});
    page.advance(400);
    await settled();
    expect(await readDrafts()).toEqual({ c1: "Hello", new: "Something new" });
  });

  it("are stored when the page is left, and are there after a reload", async () => {
    const { page, store } = openPage();
    store.getState().setDraft("c1", "Hello");
    page.hide();
    await settled();
    const next = openPage();
    await next.store.getState().load();
    expect(next.store.getState()).toMatchObject({ drafts: { c1: "Hello" }, loaded: true });
  });

  it("survive a page that ends before IndexedDB could write", async () => {
    const spare = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => spare.get(key) ?? null,
      setItem: (key: string, value: string) => void spare.set(key, value),
      removeItem: (key: string) => void spare.delete(key),
    });
    await storeDrafts({ c1: "Old", c2: "Goes away" }, 1);
    const { page, store } = openPage();
    store.getState().setDraft("c1", "Typed at last");
    store.getState().setDraft("c2", "");
    page.hide();
    const kept = new Map(spare);
    await settled();
    expect(spare.size).toBe(0);

    // As if nothing of that had reached IndexedDB.
    await storeDrafts({ c1: "Old", c2: "Goes away" }, 2);
    for (const [key, value] of kept) spare.set(key, value);
    const next = openPage();
    await next.store.getState().load();
    expect(next.store.getState().drafts).toEqual({ c1: "Typed at last" });
    next.page.advance(400);
    await settled();
    expect(await readDrafts()).toEqual({ c1: "Typed at last" });
    expect(spare.size).toBe(0);
  });

  it("that were emptied do not come back", async () => {
    await storeDrafts({ c1: "Old", c2: "Other" }, 1);
    const { page, store } = openPage();
    store.getState().setDraft("c1", "typed before the drafts were read");
    store.getState().setDraft("c1", "");
    await store.getState().load();
    expect(store.getState().drafts).toEqual({ c2: "Other" });
    page.advance(400);
    await settled();
    expect(await readDrafts()).toEqual({ c2: "Other" });
  });
});
