/**
 * Runs one program in QuickJS, on a thread of its own, so that the server never waits for it and can end it at any time.
 * Plain JavaScript, since a thread loads it as it stands. The program sees the language and `console`, nothing else.
 */

import { parentPort, workerData } from "node:worker_threads";
import variant from "@jitl/quickjs-singlefile-mjs-release-sync";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";

const { code, memoryBytes, timeMs, outputChars } = workerData;
/** @param {Record<string, unknown>} result */
const report = (result) => parentPort?.postMessage(result);

const QuickJS = await newQuickJSWASMModuleFromVariant(variant);
const runtime = QuickJS.newRuntime();
runtime.setMemoryLimit(memoryBytes);
runtime.setMaxStackSize(512 * 1024);
const deadline = performance.now() + timeMs;
runtime.setInterruptHandler(() => performance.now() > deadline);
const context = runtime.newContext();

let written = 0;
/** @param {string} level @param {string} text */
const write = (level, text) => {
  if (written >= outputChars) return;
  const part = text.slice(0, outputChars - written);
  written += text.length;
  report({ type: "console", level, text: part, cut: part.length < text.length });
};
const print = context.newFunction("print", (level, text) => {
  write(context.getString(level), context.getString(text));
});
context.setProp(context.global, "__print", print);

// Inside, so that a value is described by the engine that made it.
const setup = `(() => {
  const print = globalThis.__print;
  delete globalThis.__print;
  const show = (value, depth, seen) => {
    if (typeof value === "string") return depth === 0 ? value : JSON.stringify(value);
    if (typeof value === "bigint") return value + "n";
    if (typeof value === "symbol") return value.toString();
    if (typeof value === "function") return "[Function" + (value.name ? ": " + value.name : "") + "]";
    if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
    if (value instanceof Error) return value.name + ": " + value.message;
    if (value instanceof Date || value instanceof RegExp) return String(value instanceof Date && !isNaN(value) ? value.toISOString() : value);
    if (seen.includes(value)) return "[Circular]";
    if (depth > 4) return Array.isArray(value) ? "[…]" : "{…}";
    const inside = [...seen, value];
    const inner = (one) => show(one, depth + 1, inside);
    const list = (items, most = 1000) => items.length > most ? [...items.slice(0, most), "… " + (items.length - most) + " more"] : items;
    if (Array.isArray(value)) return "[" + list(value.length > 1000 ? [...value.slice(0, 1000).map(inner), "… " + (value.length - 1000) + " more"] : Array.from(value, inner), 1001).join(", ") + "]";
    if (ArrayBuffer.isView(value) && value.length !== undefined) return value.constructor.name + " [" + list(Array.from(value.slice(0, 1000), String)).join(", ") + "]";
    if (value instanceof Map) return "Map {" + list([...value].map(([k, v]) => inner(k) + " => " + inner(v))).join(", ") + "}";
    if (value instanceof Set) return "Set {" + list([...value].map(inner)).join(", ") + "}";
    const key = (name) => /^[A-Za-z_$][\\w$]*$/.test(name) ? name : JSON.stringify(name);
    const kind = value.constructor && value.constructor !== Object && value.constructor.name ? value.constructor.name + " " : "";
    return kind + "{" + list(Object.keys(value).map((name) => key(name) + ": " + inner(value[name]))).join(", ") + "}";
  };
  const console = {};
  for (const level of ["log", "info", "warn", "error", "debug"]) {
    console[level] = (...values) => print(level, values.map((value) => show(value, 0, [])).join(" "));
  }
  globalThis.console = console;
  return (value) => value === undefined ? "" : show(value, 1, []);
})()`;

const tooLong = `The program ran longer than ${timeMs / 1000} s.`;
/**
 * A sentence about what went wrong; `thrown` is disposed of.
 * @param {import("quickjs-emscripten-core").QuickJSHandle} thrown
 */
function describe(thrown) {
  if (performance.now() > deadline) {
    thrown.dispose();
    return tooLong;
  }
  const error = context.dump(thrown);
  thrown.dispose();
  if (error && typeof error === "object" && "name" in error) {
    if (error.name === "InternalError" && /out of memory/.test(error.message)) {
      return `The program used more than ${memoryBytes / 1024 / 1024} MB of memory.`;
    }
    const line = /<program>:(\d+)/.exec(error.stack ?? "")?.[1];
    return `${error.name}: ${error.message}${line ? ` (line ${line})` : ""}`;
  }
  return `Thrown: ${typeof error === "string" ? error : JSON.stringify(error)}`;
}

function finish() {
  const made = context.evalCode(setup, "<setup>");
  const show = context.unwrapResult(made);
  const evaluated = context.evalCode(code, "<program>", { type: "global" });
  if (evaluated.error) return { type: "failed", message: describe(evaluated.error) };
  let value = evaluated.value;
  for (let jobs = runtime.executePendingJobs(); ; jobs = runtime.executePendingJobs()) {
    if (jobs.error) return { type: "failed", message: describe(jobs.error) };
    if (jobs.value === 0) break;
  }
  // A promise's outcome is the value; one that nothing can settle any more is said to be one.
  const state = context.getPromiseState(value);
  if (state.type === "rejected") return { type: "failed", message: describe(state.error) };
  if (state.type === "pending") {
    // A reaction that was interrupted settles nothing, and looks like one that never could.
    if (performance.now() > deadline) return { type: "failed", message: tooLong };
    return { type: "failed", message: "The program waits for a promise that never settles." };
  }
  value = state.value;
  const shown = context.callFunction(show, context.undefined, value);
  if (shown.error) return { type: "failed", message: describe(shown.error) };
  const text = context.getString(shown.value);
  return { type: "done", value: text.slice(0, outputChars), cut: text.length > outputChars };
}

try {
  report(finish());
} catch (error) {
  // The time may be up before the program has begun, on a machine that does much else.
  const told = error instanceof Error ? error.message : String(error);
  report({ type: "failed", message: performance.now() > deadline ? tooLong : told });
}
