import type { Api, Model, ModelCost } from "../types.ts";
import type { Loose } from "../vendor-json.ts";
import { listedCost } from "./listed-cost.ts";
import { isListedChatModel } from "./listed-kind.ts";
import { type ListedThinking, listedThinking } from "./listed-thinking.ts";
import { firstSize, flagOf, idOf, nameOf, recordOf, wordsOf } from "./loose-facts.ts";

/** What an endpoint tells of a model. What it does not tell is absent. */
export interface ListedModel extends ListedThinking {
  id: string;
  name?: string;
  chat: boolean;
  input?: Model["input"];
  contextWindow?: number;
  maxTokens?: number;
  cost?: ModelCost;
}

/** Reads an entry of a list in the shape of any host; undefined where it names no model. */
export function readListedModel(entry: Loose, api: Api): ListedModel | undefined {
  const google = api === "google-generative-ai";
  const raw = entry.id ?? entry.key ?? entry.model ?? entry.name;
  const id = idOf(google && typeof raw === "string" ? raw.replace(/^models\//, "") : raw);
  if (id === undefined) return undefined;
  const name = nameOf(
    entry.display_name ?? entry.displayName ?? (entry.id ? entry.name : undefined),
  );
  const top = recordOf(entry.top_provider);
  const meta = recordOf(entry.meta);
  const contextWindow = firstSize(
    entry.loaded_context_length,
    entry.max_model_len,
    entry.context_length,
    entry.context_window,
    top.context_length,
    meta.n_ctx,
    entry.inputTokenLimit,
    entry.max_input_tokens,
    entry.max_context_length,
    entry.context_size,
    meta.n_ctx_train,
  );
  const maxTokens = firstSize(
    top.max_completion_tokens,
    entry.max_completion_tokens,
    entry.max_output_tokens,
    entry.max_output_length,
    entry.outputTokenLimit,
    entry.max_tokens,
  );
  const sees = listedVision(entry) ?? (google && /^gemini-/.test(id) ? true : undefined);
  const cost = listedCost(entry);
  return {
    id,
    chat: isListedChatModel(entry, id),
    ...listedThinking(entry),
    ...(name !== undefined && { name }),
    ...(sees !== undefined && { input: sees ? ["text", "image"] : ["text"] }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(cost && { cost }),
  };
}

/** Whether the model takes images, where the entry tells. */
function listedVision(entry: Loose): boolean | undefined {
  const architecture = recordOf(entry.architecture);
  const kinds =
    wordsOf(architecture.input_modalities) ??
    wordsOf(entry.input_modalities) ??
    wordsOf(recordOf(entry.modalities).input) ??
    (typeof architecture.modality === "string"
      ? architecture.modality.split("->")[0]?.toLowerCase().split("+")
      : undefined);
  if (kinds) return kinds.includes("image");
  if (entry.type === "vlm") return true;
  const capabilities = recordOf(entry.capabilities);
  const flag = [
    entry.supports_image_input,
    entry.supports_image_in,
    entry.supports_vision,
    capabilities.vision,
    capabilities.image_input,
  ]
    .map(flagOf)
    .find((value) => value !== undefined);
  if (flag !== undefined) return flag;
  const words = [entry.capabilities, entry.tags, entry.supported_features].flatMap(
    (list) => wordsOf(list) ?? [],
  );
  return words.some((word) => /^(vision|multimodal|image-input)$/.test(word)) ? true : undefined;
}
