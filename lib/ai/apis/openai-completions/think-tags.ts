const openTag = "<think>";
const closeTag = "</think>";
/** White space beyond this is the answer's own, and waits no longer for a tag. */
const longestHeld = 200;

/** Where pieces of the text go. */
export interface TextSink {
  text(delta: string): void;
  thinking(delta: string): void;
}

/**
 * Takes thinking out of `<think>` tags at the start of the content, wherever its pieces are cut; no part of a tag gets
 * through. Work per character is constant.
 */
export class ThinkTags {
  private state: "start" | "thinking" | "after" | "text" = "start";
  /** Text that may turn out to be a tag, or the white space before one. */
  private held = "";

  constructor(private readonly sink: TextSink) {}

  push(delta: string): void {
    if (this.state === "text") {
      this.sink.text(delta);
      return;
    }
    const all = this.held + delta;
    this.held = "";
    switch (this.state) {
      case "start":
        this.atStart(all);
        break;
      case "thinking":
        this.inThinking(all);
        break;
      case "after":
        this.afterThinking(all);
        break;
    }
  }

  /** The host tells thinking apart by itself: what comes from now on is text. */
  disable(): void {
    this.flush();
    this.state = "text";
  }

  /** Gives out what is still held. */
  flush(): void {
    const held = this.held;
    this.held = "";
    if (held === "") return;
    if (this.state === "thinking") this.sink.thinking(held);
    else if (this.state === "start") this.sink.text(held);
  }

  private atStart(all: string): void {
    const text = all.trimStart();
    if (text.startsWith(openTag)) {
      this.state = "thinking";
      this.inThinking(text.slice(openTag.length));
    } else if (openTag.startsWith(text) && all.length <= longestHeld) {
      this.held = all;
    } else {
      this.state = "text";
      this.sink.text(all);
    }
  }

  private inThinking(all: string): void {
    const end = all.indexOf(closeTag);
    if (end >= 0) {
      if (end > 0) this.sink.thinking(all.slice(0, end));
      this.state = "after";
      this.afterThinking(all.slice(end + closeTag.length));
      return;
    }
    const kept = tagStartAtEnd(all);
    this.held = all.slice(all.length - kept);
    if (kept < all.length) this.sink.thinking(all.slice(0, all.length - kept));
  }

  private afterThinking(all: string): void {
    const text = all.replace(/^[\r\n]+/, "");
    if (text === "") return;
    this.state = "text";
    this.sink.text(text);
  }
}

/** How many characters at the end could be the beginning of the closing tag. */
function tagStartAtEnd(text: string): number {
  for (let length = Math.min(closeTag.length - 1, text.length); length > 0; length--) {
    if (closeTag.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
