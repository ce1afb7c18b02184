import { type GoogleGenerativeAICompat, resolveCompat } from "../../compat.ts";
import type { Model } from "../../types.ts";

/** The generation of a Gemini or Gemma model by its id; the aliases that always name the newest have none in it. */
function generation(id: string): { family: "gemini" | "gemma" | "other"; major: number } {
  const name = id.toLowerCase().replace(/^.*\//, "");
  const family = name.startsWith("gemini")
    ? "gemini"
    : name.startsWith("gemma")
      ? "gemma"
      : "other";
  if (/^gemini-(pro|flash|flash-lite)-latest$/.test(name)) return { family, major: 3 };
  const version = /^(?:gemini|gemma)-(\d+)/.exec(name)?.[1];
  return { family, major: version ? Number(version) : 0 };
}

/** What an endpoint takes: detected from the model's id, then overridden by the flags that the model sets. */
export function googleCompat(model: Model): GoogleGenerativeAICompat {
  const { family, major } = generation(model.id);
  const gemini3 = family === "gemini" && major >= 3;
  const namesLevels = Object.values(model.thinkingLevelMap ?? {}).some((value) => value !== null);
  return resolveCompat<GoogleGenerativeAICompat>(
    {
      toolCallIds: gemini3 || /(^|\/)(claude-|gpt-oss-)/i.test(model.id),
      thinkingLevels: gemini3 || (family === "gemma" && major >= 4) || namesLevels,
      imagesInFunctionResponse: gemini3 || family === "other",
      requiresThoughtSignature: gemini3,
      supportsValidatedMode: gemini3,
      supportsThinking: model.reasoning,
    },
    model.compat as Partial<GoogleGenerativeAICompat> | undefined,
  );
}
