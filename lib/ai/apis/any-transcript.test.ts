import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { decodedAnswers } from "../testing/any-transcript/answers.ts";
import { arbitraryAsked } from "../testing/any-transcript/arbitrary-transcript.ts";
import { requestModels } from "../testing/any-transcript/models.ts";
import { requestCheckers } from "../testing/request-rules/index.ts";
import { normalizeContext } from "../transcript.ts";
import type { AssistantMessage, Context, KnownApi, Model, SimpleStreamOptions } from "../types.ts";
import { apis } from "./index.ts";

/** Fixed, so that a run says the same everywhere; another one looks elsewhere. */
const seed = Number(process.env.PROPERTY_SEED ?? 1);
const runs = Number(process.env.PROPERTY_RUNS ?? 60);

let answers: AssistantMessage[];
beforeAll(async () => {
  answers = await decodedAnswers();
});

/** The body that would leave, as the vendor reads it. @throws the adapter's error when it makes none */
async function bodyFor(
  model: Model,
  context: Context,
  options: SimpleStreamOptions,
): Promise<unknown> {
  let body: string | undefined;
  const message = await apis[model.api as KnownApi]
    .streamSimple(model, normalizeContext(context), {
      apiKey: "key",
      ...options,
      onPayload: (payload) => {
        body = JSON.stringify(payload);
        throw new Error("kept");
      },
    })
    .result();
  if (body === undefined) throw new Error(message.errorMessage);
  return JSON.parse(body);
}

/** So that whoever changes the stored transcript fails. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

const cases = (Object.keys(requestModels) as KnownApi[]).flatMap((api) =>
  requestModels[api].map((model, index): [string, Model] => [
    `${api} ${index}: ${model.provider}/${model.id}`,
    model,
  ]),
);

describe("any transcript becomes a request that the vendor's rules allow", () => {
  it("has answers of every vendor to mix", () => {
    expect([...new Set(answers.map(({ api }) => api))].sort()).toEqual(Object.keys(apis).sort());
  });

  it.each(cases)("%s", async (_title, model) => {
    await fc.assert(
      fc.asyncProperty(arbitraryAsked(model, answers), async ({ context, options }) => {
        const body = await bodyFor(model, frozen(context), options);
        expect(requestCheckers[model.api as KnownApi](body, model)).toEqual([]);
      }),
      { seed, numRuns: runs },
    );
  });
});
