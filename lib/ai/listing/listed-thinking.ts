import type { Compat } from "../compat.ts";
import type { Api, Model, ThinkingLevel } from "../types.ts";
import { isRecord, type Loose } from "../vendor-json.ts";
import { flagOf, recordOf, wordsOf } from "./loose-facts.ts";

export interface ListedThinking {
  reasoning?: boolean;
  thinkingLevelMap?: Model["thinkingLevelMap"];
  compat?: Compat<Api>;
}

/** What an entry tells of thinking; empty where it tells nothing. */
export function listedThinking(entry: Loose): ListedThinking {
  const capabilities = recordOf(entry.capabilities);
  if (isRecord(capabilities.thinking)) return anthropicThinking(capabilities);
  if (isRecord(entry.reasoning)) return routerThinking(entry.reasoning);
  const flag = [
    entry.thinking,
    entry.reasoning,
    entry.supports_reasoning,
    capabilities.reasoning,
    capabilities.thinking,
  ]
    .map(flagOf)
    .find((value) => value !== undefined);
  const reasoning = flag ?? toldByWords(entry);
  return reasoning === undefined ? {} : { reasoning };
}

const thinkingWord = /^(reasoning|thinking|include_reasoning|reasoning_effort)$/;

function toldByWords(entry: Loose): boolean | undefined {
  const parameters = wordsOf(entry.supported_parameters);
  const lists = [entry.capabilities, entry.tags, entry.supported_features, entry.features];
  const words = [...(parameters ?? []), ...lists.flatMap((list) => wordsOf(list) ?? [])];
  if (words.some((word) => thinkingWord.test(word))) return true;
  return parameters ? false : undefined;
}

const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** OpenRouter: `{mandatory, supported_efforts}`; no list of efforts means all that the router knows. */
function routerThinking(reasoning: Loose): ListedThinking {
  const supported = wordsOf(reasoning.supported_efforts);
  const map: Partial<Record<ThinkingLevel, string | null>> = {
    off: reasoning.mandatory === true ? null : "none",
  };
  for (const level of supported ? efforts : []) {
    map[level] = supported?.includes(level) ? level : null;
  }
  return { reasoning: true, thinkingLevelMap: map };
}

/** Anthropic: `thinking.types` says whether a budget may be named, `effort` which words are taken. */
function anthropicThinking(capabilities: Loose): ListedThinking {
  const thinking = recordOf(capabilities.thinking);
  if (flagOf(thinking) !== true) return { reasoning: false };
  const types = recordOf(thinking.types);
  const adaptiveOnly = flagOf(types.adaptive) === true && flagOf(types.enabled) === false;
  const effort = recordOf(capabilities.effort);
  const map: Partial<Record<ThinkingLevel, string | null>> = {};
  for (const level of ["xhigh", "max"] as const) {
    if (flagOf(effort[level]) === true) map[level] = level;
  }
  return {
    reasoning: true,
    ...(Object.keys(map).length > 0 && { thinkingLevelMap: map }),
    ...(adaptiveOnly && { compat: { forceAdaptiveThinking: true } }),
  };
}
