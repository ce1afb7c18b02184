import type { AdapterRooms } from "../../adapter.ts";
import { shortHash } from "../../text.ts";
import { dropAddedNulls } from "../../tool-schema.ts";
import type { Model, TranscriptContext } from "../../types.ts";
import { sendThroughOpenAI } from "../openai-client.ts";
import type { CallReader } from "./call-items.ts";
import { ResponsesDecoder } from "./decoder.ts";
import type { ReadingPlan } from "./deferred-handle.ts";
import type { OpenAIResponsesOptions } from "./options.ts";
import {
  buildRequest,
  inputParameterOf,
  planRequest,
  type RequestPlan,
  sessionHeaders,
} from "./request.ts";

/** The rooms of one request: its tool names are read back with the same map that they were sent with. */
export function createRooms(
  model: Model,
  context: TranscriptContext,
): AdapterRooms<OpenAIResponsesOptions> {
  let planned: RequestPlan | undefined;
  const plan = (): RequestPlan => {
    planned ??= planRequest(model, context);
    return planned;
  };
  return {
    buildRequest: (requestModel, transcript, options) =>
      buildRequest(requestModel, transcript, options, plan()),
    send: (body, requestModel, options, attempt) =>
      sendThroughOpenAI(
        { method: "post", path: "/responses", body },
        requestModel,
        options,
        attempt,
        sessionHeaders(plan().compat, options),
      ),
    createDecoder: (builder, requestModel, options) => {
      const { message } = builder;
      if (options.thinkingLevel) message.thinkingLevel = options.thinkingLevel;
      if (options.reasoningEffort) message.providerThinkingLevel = options.reasoningEffort;
      return new ResponsesDecoder(
        builder,
        requestModel,
        callReader(plan(), () => `${message.responseId}`),
        options.serviceTier,
      );
    },
  };
}

/** Reads calls with the names that the request told. @param seed tells the calls of one response from those of another */
export function callReader(plan: ReadingPlan, seed: () => string): CallReader {
  let count = 0;
  return {
    toolName: (name) => plan.names.fromVendor(name),
    inputParameter: (name) => inputParameterOf(plan, name),
    callArguments: (name, given) => {
      const schema = plan.strictTools.get(name);
      return schema ? dropAddedNulls(given, schema) : given;
    },
    newCallId: () => `call_${shortHash(`${seed()} ${Date.now()} ${count}`)}${count++}`,
  };
}
