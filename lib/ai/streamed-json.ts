/**
 * The arguments of a tool call as they stream in. The value is built in place while characters arrive, so the cost of a
 * stream is linear in its length (P-331); open strings and containers show what is there (P-330). At the end the whole
 * text is parsed once, exactly.
 */

type Container = Record<string, unknown> | unknown[];
type Expect = "key" | "colon" | "value" | "comma" | "nothing";

interface Frame {
  container: Container;
  key: string;
}

const escapes: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

export class StreamedJson {
  /** The live value; `{}` while the root is not an object. */
  readonly value: Record<string, unknown> = {};
  /** All text so far. */
  text = "";

  private readonly stack: Frame[] = [];
  private expect: Expect = "value";
  private broken = false;
  private inString = false;
  private isKey = false;
  private partial = "";
  private escape = "";
  private literal = "";

  append(delta: string): void {
    this.text += delta;
    if (this.broken) return;
    let index = 0;
    while (index < delta.length && !this.broken) {
      index = this.inString ? this.readString(delta, index) : this.readToken(delta, index);
    }
  }

  private readString(text: string, from: number): number {
    if (this.escape) return this.readEscape(text, from);
    let end = from;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code === 34 || code === 92) break;
      end++;
    }
    if (end > from) this.appendPiece(text.slice(from, end));
    if (end === text.length) return end;
    if (text.charCodeAt(end) === 92) this.escape = "\\";
    else this.closeString();
    return end + 1;
  }

  private readEscape(text: string, from: number): number {
    this.escape += text[from];
    if (this.escape[1] === "u") {
      if (this.escape.length === 6) {
        const code = Number.parseInt(this.escape.slice(2), 16);
        if (!Number.isNaN(code)) this.appendPiece(String.fromCharCode(code));
        this.escape = "";
      }
    } else {
      this.appendPiece(escapes[this.escape[1] as string] ?? this.escape);
      this.escape = "";
    }
    return from + 1;
  }

  private appendPiece(piece: string): void {
    this.partial += piece;
    if (!this.isKey) this.place(this.partial);
  }

  private closeString(): void {
    this.inString = false;
    const frame = this.stack.at(-1);
    if (this.isKey && frame) {
      frame.key = this.partial;
      this.expect = "colon";
    } else {
      this.finishValue();
    }
    this.partial = "";
  }

  private readToken(text: string, index: number): number {
    const character = text[index] as string;
    if (this.literal) {
      if (/[\w.+-]/.test(character)) {
        this.literal += character;
        return index + 1;
      }
      this.closeLiteral();
      return index;
    }
    switch (character) {
      case " ":
      case "\n":
      case "\r":
      case "\t":
        break;
      case "{":
      case "[":
        this.open(character === "{" ? {} : []);
        break;
      case "}":
      case "]":
        this.close(character === "}");
        break;
      case ":":
        if (this.expect === "colon") this.expect = "value";
        else this.broken = true;
        break;
      case ",":
        if (this.expect !== "comma") this.broken = true;
        else this.expect = Array.isArray(this.stack.at(-1)?.container) ? "value" : "key";
        break;
      case '"':
        this.openString();
        break;
      default:
        if (this.expect === "value" && this.stack.length > 0) this.literal = character;
        else this.broken = true;
    }
    return index + 1;
  }

  private openString(): void {
    if ((this.expect !== "key" && this.expect !== "value") || this.stack.length === 0) {
      this.broken = true;
      return;
    }
    this.inString = true;
    this.isKey = this.expect === "key";
    this.partial = "";
    if (!this.isKey) this.begin("");
  }

  private open(container: Container): void {
    if (this.expect !== "value" || (this.stack.length === 0 && Array.isArray(container))) {
      this.broken = true;
      return;
    }
    if (this.stack.length === 0) {
      this.stack.push({ container: this.value, key: "" });
    } else {
      this.begin(container);
      this.stack.push({ container, key: "" });
    }
    this.expect = Array.isArray(container) ? "value" : "key";
  }

  private close(isObject: boolean): void {
    const frame = this.stack.pop();
    const empty = this.expect === "key" || this.expect === "value";
    if (
      !frame ||
      Array.isArray(frame.container) === isObject ||
      !(empty || this.expect === "comma")
    ) {
      this.broken = true;
      return;
    }
    this.finishValue();
  }

  private closeLiteral(): void {
    try {
      this.begin(JSON.parse(this.literal));
      this.finishValue();
    } catch {
      this.broken = true;
    }
    this.literal = "";
  }

  private begin(value: unknown): void {
    const frame = this.stack.at(-1);
    if (!frame) return;
    if (Array.isArray(frame.container)) frame.container.push(value);
    else this.setKey(frame.container, frame.key, value);
  }

  private place(value: unknown): void {
    const frame = this.stack.at(-1);
    if (!frame) return;
    if (Array.isArray(frame.container)) frame.container[frame.container.length - 1] = value;
    else this.setKey(frame.container, frame.key, value);
  }

  private setKey(container: Record<string, unknown>, key: string, value: unknown): void {
    if (key === "__proto__") {
      Object.defineProperty(container, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      container[key] = value;
    }
  }

  private finishValue(): void {
    this.expect = this.stack.length === 0 ? "nothing" : "comma";
  }
}

/** The arguments of a complete call, or `{}` and what is wrong with the text (P-014, P-332). */
export interface CompleteArguments {
  arguments: Record<string, unknown>;
  argumentsError?: string;
}

const quoteLimit = 500;

/** Parses the complete argument text: once exactly, and once more after mending what models get wrong. */
export function parseArguments(text: string): CompleteArguments {
  if (text.trim() === "") return { arguments: {} };
  const parsed = tryParse(text) ?? tryParse(repair(text));
  if (parsed && isObject(parsed.value)) return { arguments: parsed.value };
  const quote = text.length > quoteLimit ? `${text.slice(0, quoteLimit)}…` : text;
  return {
    arguments: {},
    argumentsError: parsed
      ? `The arguments are not a JSON object: ${quote}`
      : `The arguments are not valid JSON: ${quote}`,
  };
}

/** Arguments that some hosts send as an object instead of text. */
export function argumentsFrom(value: unknown): CompleteArguments {
  if (typeof value === "string") return parseArguments(value);
  if (value === undefined || value === null) return { arguments: {} };
  if (isObject(value)) return { arguments: value };
  return parseArguments(JSON.stringify(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Escapes raw control characters inside strings and doubles a backslash that begins no escape. */
function repair(text: string): string {
  let result = "";
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (!inString) {
      if (character === '"') inString = true;
      result += character;
    } else if (character === "\\") {
      const next = text[index + 1] ?? "";
      const valid =
        next === "u" ? /^[\da-f]{4}$/i.test(text.slice(index + 2, index + 6)) : next in escapes;
      if (valid) {
        result += character + next;
        index++;
      } else {
        result += "\\\\";
      }
    } else if (character === '"') {
      inString = false;
      result += character;
    } else if (character < " ") {
      result += JSON.stringify(character).slice(1, -1);
    } else {
      result += character;
    }
  }
  return result;
}
