import * as z from "zod/mini";

// What tools of the server say of their results. A result may be old, or another tool's of the same name.
const planSchema = z.object({
  plan: z.array(
    z.object({
      text: z.string(),
      status: z.enum(["pending", "in_progress", "done", "dropped"]),
    }),
  ),
});
const searchSchema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
});
const pageSchema = z.object({
  url: z.string(),
  title: z.optional(z.string()),
  mediaType: z.string(),
  length: z.number(),
});
const programSchema = z.object({
  console: z.array(z.object({ level: z.string(), text: z.string() })),
  value: z.optional(z.string()),
  error: z.optional(z.string()),
});

export type ToolDetails =
  | ({ kind: "plan" } & z.infer<typeof planSchema>)
  | ({ kind: "search" } & z.infer<typeof searchSchema>)
  | ({ kind: "page" } & z.infer<typeof pageSchema>)
  | ({ kind: "program" } & z.infer<typeof programSchema>);

/** The details of a result as its card shows them, or undefined: then the result is shown as text. */
export function toolDetails(toolName: string, details: unknown): ToolDetails | undefined {
  switch (toolName) {
    case "update_plan":
      return tagged("plan", z.safeParse(planSchema, details));
    case "web_search":
      return tagged("search", z.safeParse(searchSchema, details));
    case "fetch_url":
      return tagged("page", z.safeParse(pageSchema, details));
    case "run_javascript":
      return tagged("program", z.safeParse(programSchema, details));
    default:
      return undefined;
  }
}

function tagged<Kind extends string, T extends object>(
  kind: Kind,
  parsed: { success: boolean; data?: T },
): ({ kind: Kind } & T) | undefined {
  return parsed.success && parsed.data ? { kind, ...parsed.data } : undefined;
}
