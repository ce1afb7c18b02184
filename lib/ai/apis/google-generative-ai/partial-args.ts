import { isRecord, text } from "../../vendor-json.ts";

type Key = string | number;
type Scalar = string | number | boolean | null;

interface Leaf {
  path: Key[];
  value: Scalar;
}

interface OpenContainer {
  /** Which key of its parent this container is. */
  key: Key;
  isArray: boolean;
  keys: Set<Key>;
}

/**
 * The arguments of a call that the vendor streams as pairs of a JSON path and a piece of a value. Gives JSON text as they
 * come, as long as they come in the order of a document; what comes out of order is only in `whole`.
 */
export class PartialArguments {
  private readonly leaves: Leaf[] = [];
  private readonly stack: OpenContainer[] = [{ key: "$", isArray: false, keys: new Set() }];
  /** Strings of which more is to come, by their path. */
  private readonly unfinished = new Map<string, Leaf>();
  /** The one of them that the streamed text ends in. */
  private openString: Leaf | undefined;
  private begun = false;
  private outOfOrder = false;

  /** The JSON text that some pieces add. */
  add(pieces: unknown): string {
    if (!Array.isArray(pieces)) return "";
    return pieces.map((piece) => this.addPiece(piece)).join("");
  }

  /** The JSON text that is missing at the end. */
  close(): string {
    if (this.outOfOrder) return "";
    return `${this.begin()}${this.closeString()}${this.closeTo(0)}}`;
  }

  /** The whole arguments where the streamed text is not them; otherwise undefined. */
  get whole(): string | undefined {
    if (!this.outOfOrder) return undefined;
    const root: Container = Object.create(null) as Container;
    for (const { path, value } of this.leaves) place(root, path, value);
    return JSON.stringify(root);
  }

  private addPiece(piece: unknown): string {
    if (!isRecord(piece)) return "";
    const path = parsePath(text(piece.jsonPath));
    const value = scalarOf(piece);
    if (!path || path.length === 0 || value === undefined) return "";
    const goesOn = typeof value === "string" && piece.willContinue === true;
    const name = JSON.stringify(path);
    const begun = this.unfinished.get(name);
    if (!goesOn) this.unfinished.delete(name);
    if (begun && typeof value === "string") {
      begun.value = `${begun.value as string}${value}`;
      if (begun !== this.openString) this.outOfOrder = true;
      if (!goesOn) this.openString = undefined;
      return this.outOfOrder ? "" : escaped(value) + (goesOn ? "" : '"');
    }
    const leaf: Leaf = { path, value };
    this.leaves.push(leaf);
    if (goesOn) this.unfinished.set(name, leaf);
    if (this.outOfOrder) return "";
    const ended = this.closeString();
    const opened = this.open(path);
    if (goesOn) this.openString = leaf;
    if (this.outOfOrder) return ended;
    if (typeof value !== "string") return `${ended}${opened}${JSON.stringify(value)}`;
    return `${ended}${opened}"${escaped(value)}${goesOn ? "" : '"'}`;
  }

  /** Text that leads to a new leaf: closes containers that it is not in, opens those that it is in, names it. */
  private open(path: Key[]): string {
    let shared = 0;
    while (
      shared < path.length - 1 &&
      this.stack[shared + 1] !== undefined &&
      this.stack[shared + 1]?.key === path[shared]
    ) {
      shared++;
    }
    let out = this.begin() + this.closeTo(shared);
    for (let depth = shared; depth < path.length; depth++) {
      const key = path[depth] as Key;
      const container = this.stack[depth] as OpenContainer;
      const fits = container.isArray ? key === container.keys.size : typeof key === "string";
      if (!fits || container.keys.has(key)) {
        this.outOfOrder = true;
        return "";
      }
      out += container.keys.size > 0 ? "," : "";
      out += container.isArray ? "" : `${JSON.stringify(key)}:`;
      container.keys.add(key);
      if (depth < path.length - 1) {
        const isArray = typeof path[depth + 1] === "number";
        this.stack.push({ key, isArray, keys: new Set() });
        out += isArray ? "[" : "{";
      }
    }
    return out;
  }

  private begin(): string {
    if (this.begun) return "";
    this.begun = true;
    return "{";
  }

  private closeString(): string {
    if (!this.openString) return "";
    this.openString = undefined;
    return '"';
  }

  /** Closes containers until so many are open inside the root. */
  private closeTo(depth: number): string {
    let out = "";
    while (this.stack.length - 1 > depth) out += this.stack.pop()?.isArray ? "]" : "}";
    return out;
  }
}

function escaped(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function scalarOf(piece: Record<string, unknown>): Scalar | undefined {
  if (typeof piece.stringValue === "string") return piece.stringValue;
  if (typeof piece.numberValue === "number") return piece.numberValue;
  if (typeof piece.boolValue === "boolean") return piece.boolValue;
  return "nullValue" in piece ? null : undefined;
}

/** A list that leaves more places empty is no argument but an attack. */
const longestList = 100_000;

/** The keys of a JSON path such as `$.a['b c'][0]` (RFC 9535, singular queries), or undefined for any other text. */
export function parsePath(path: string): Key[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const keys: Key[] = [];
  const step = /\.([^.[\]'"]+)|\[(\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match) return undefined;
    const [, name, index, single, double] = match;
    if (Number(index) > longestList) return undefined;
    if (index !== undefined) keys.push(Number(index));
    else keys.push(name ?? unescaped((single ?? double) as string));
  }
  return keys;
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\(u[\da-f]{4}|.)/gi, (whole, character: string) => {
    if (character === "'" || character === '"') return character;
    try {
      return JSON.parse(`"${whole}"`) as string;
    } catch {
      return character;
    }
  });
}

type Container = Record<string, unknown> | unknown[];

function place(root: Container, path: Key[], value: Scalar): void {
  let parent = root as Record<Key, unknown>;
  path.slice(0, -1).forEach((key, depth) => {
    const next = parent[key];
    if (typeof next !== "object" || next === null) {
      parent[key] = typeof path[depth + 1] === "number" ? [] : Object.create(null);
    }
    parent = parent[key] as Record<Key, unknown>;
  });
  parent[path.at(-1) as Key] = value;
}
