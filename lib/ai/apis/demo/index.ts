import { runAdapter } from "../../adapter.ts";
import type { SimpleStreamOptions, StreamFunction } from "../../types.ts";
import { rooms } from "./stream.ts";

/** The demonstration's stream: the same path as every vendor's, on a wire format of its own. */
export const streamSimple: StreamFunction<SimpleStreamOptions> = (model, context, options = {}) =>
  runAdapter(rooms, model, context, options);

export const stream: StreamFunction<SimpleStreamOptions> = streamSimple;
