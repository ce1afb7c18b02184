import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { AgentToolResult, ToolContent } from "@/lib/agent/types";

type CallResult = Awaited<ReturnType<Client["callTool"]>>;
type Block = Extract<CallResult, { content: unknown }>["content"] extends infer Blocks
  ? Blocks extends (infer One)[]
    ? One
    : never
  : never;

/** An MCP result in the loop's shape: text and images as they are, everything else in words. */
export function toToolResult(result: CallResult): AgentToolResult {
  const blocks = Array.isArray(result.content) ? (result.content as Block[]) : [];
  const content: ToolContent = blocks.map(toBlock);
  const structured = result.structuredContent;
  if (content.length === 0 && structured !== undefined) {
    content.push({ type: "text", text: JSON.stringify(structured) });
  }
  if (content.length === 0) content.push({ type: "text", text: "The tool gave no output." });
  return {
    content,
    isError: result.isError === true,
    ...(structured !== undefined && { structuredContent: structured }),
  };
}

function toBlock(block: Block): ToolContent[number] {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", data: block.data, mimeType: block.mimeType };
    case "audio":
      return { type: "text", text: `[Sound, ${block.mimeType}]` };
    case "resource_link":
      return { type: "text", text: `[${block.name}](${block.uri})` };
    case "resource": {
      const { resource } = block;
      const text = "text" in resource ? resource.text : `[File, ${resource.mimeType ?? "binary"}]`;
      return { type: "text", text: `${resource.uri}\n${text}` };
    }
  }
}
