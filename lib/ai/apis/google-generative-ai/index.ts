export { stream, streamSimple } from "./stream.ts";
