import type { Loose } from "../vendor-json.ts";
import { flagOf, recordOf, wordsOf } from "./loose-facts.ts";

/** Words by which hosts call what is not a chat model, in `type` and the like. */
const otherTypes =
  /embed|rerank|moderat|image|video|audio|speech|voice|music|transcri|tts|stt|asr|classif|diffusion|ocr|segment|detect/i;

const chatWords = /^(completion|chat|text|tools|tool_use)$/;
const otherWords = /^(embeddings?|rerank|image|image[-_]generation)$/;

/** Ids of models that are not for chat, for the many lists that tell nothing but ids. */
const otherNames = new RegExp(
  [
    "embed|rerank|moderation|whisper|transcri(be|ption)|realtime|text-to-speech|speech-to-text",
    "\\b(tts|dall-e|imagen|veo|sora|lyria|bge|all-minilm|babbage|davinci|sdxl|flux)\\b",
    "stable-diffusion|native-audio|gpt-audio|-audio-preview|turbo-instruct|imagine",
    "[-_]image(-|$)",
  ].join("|"),
  "i",
);

/**
 * Whether an entry of a list is a chat model: by what the host tells of it, and by its id only where nothing is told.
 */
export function isListedChatModel(entry: Loose, id: string): boolean {
  return toldChat(entry) ?? !otherNames.test(id);
}

function toldChat(entry: Loose): boolean | undefined {
  const capabilities = recordOf(entry.capabilities);
  const chat = flagOf(entry.supports_chat) ?? flagOf(capabilities.completion_chat);
  if (chat !== undefined) return chat;

  const methods = wordsOf(entry.supportedGenerationMethods);
  // Google's own models that speak or draw are asked in the same way, so their names still count.
  if (methods && !methods.includes("generatecontent")) return false;

  const type = [entry.type, entry.model_type].find(
    (word): word is string => typeof word === "string" && word !== "model",
  );
  if (type && otherTypes.test(type)) return false;

  const output = outputKinds(entry);
  if (output) return output.includes("text");

  const words = wordsOf(entry.capabilities) ?? [];
  if (words.some((word) => chatWords.test(word))) return true;
  if (words.some((word) => otherWords.test(word))) return false;
  return type && /^(chat|llm|vlm|language)$/i.test(type) ? true : undefined;
}

function outputKinds(entry: Loose): string[] | undefined {
  const architecture = recordOf(entry.architecture);
  const told =
    wordsOf(architecture.output_modalities) ??
    wordsOf(entry.output_modalities) ??
    wordsOf(recordOf(entry.modalities).output);
  if (told) return told.length > 0 ? told : undefined;
  const [, output] =
    typeof architecture.modality === "string" ? architecture.modality.split("->") : [];
  return output ? output.toLowerCase().split("+") : undefined;
}
