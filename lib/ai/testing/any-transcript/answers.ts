import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { apis } from "../../apis/index.ts";
import type { AssistantMessage, KnownApi, Model } from "../../types.ts";
import { testModel, transcript } from "../run-stream.ts";
import { ownStreams } from "./own-streams.ts";

const recordings = "../shared/wire/cases";

/** Every answer that the adapters read from our own streams, and from the recorded ones where they are. */
export async function decodedAnswers(): Promise<AssistantMessage[]> {
  return [...(await ownAnswers()), ...(await recordedAnswers()).filter(hasOwnIds)];
}

/** Ids of nine characters were overwritten with longer words in some recordings. */
function hasOwnIds({ provider, content }: AssistantMessage): boolean {
  return (
    provider !== "mistral" ||
    content.every((block) => block.type !== "toolCall" || /^[A-Za-z0-9]{9}$/.test(block.id))
  );
}

function ownAnswers(): Promise<AssistantMessage[]> {
  return Promise.all(
    ownStreams.flatMap(({ api, provider, bodies }) =>
      bodies.map((body) => play(modelOf(api, provider, "some-model"), body)),
    ),
  );
}

async function recordedAnswers(): Promise<AssistantMessage[]> {
  if (!existsSync(recordings)) return [];
  const answers: AssistantMessage[] = [];
  for (const api of Object.keys(apis) as KnownApi[]) {
    for (const name of readdirSync(join(recordings, api))) {
      const body = join(recordings, api, name, "response.sse");
      if (!existsSync(body)) continue;
      const meta = JSON.parse(
        readFileSync(join(recordings, api, name, "meta.json"), "utf8"),
      ) as Pick<Model, "provider"> & { model: string };
      answers.push(
        await play(modelOf(api, meta.provider, meta.model), readFileSync(body).toString()),
      );
    }
  }
  return answers;
}

function modelOf(api: KnownApi, provider: string, id: string): Model {
  return testModel({ api, provider, id: id || "model", baseUrl: "https://vendor.test/v1" });
}

/** What the adapter makes of a stream. Nothing leaves the process. */
function play(model: Model, body: string): Promise<AssistantMessage> {
  const headers = { "content-type": "text/event-stream" };
  return apis[model.api as KnownApi]
    .streamSimple(model, transcript(), {
      apiKey: "key",
      maxRetries: 0,
      fetch: async () => new Response(body, { headers }),
    })
    .result();
}
