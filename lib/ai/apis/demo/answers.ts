const keyHint =
  "\n\n---\n\nI am Rill's built-in demo, not a language model. To talk to a real one, open **Settings → Providers** and add an API key, or set one such as `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GEMINI_API_KEY` before you start Rill; a local server like Ollama needs none. Then choose a model in the message field.";

/** The first answer of a conversation says how to get a real model. */
export function withKeyHint(text: string, firstAnswer: boolean): string {
  return firstAnswer ? text + keyHint : text;
}

const abilities = `- **Ask for the time:** “What time is it in Tokyo?”
- **Ask for a calculation:** “What is 12.5% of 840?”
- **Ask for both at once**, and see two tools run side by side.
- **Say “show me markdown”** for code, a table and a formula.
- **Say “be slow”, “a long answer” or “fail”** to see how waiting, length and errors look.`;

export function welcome(): string {
  return `Hello! I am a demonstration: I answer by fixed rules, through the same path as every model here.

Try one of these:

${abilities}

${sample}`;
}

export function unknownAnswer(question: string): string {
  const short = question.trim().replace(/\s+/g, " ").slice(0, 120);
  return `You wrote: “${short.replace(/([\\`*_[\]<>#|$])/g, "\\$1")}”. No rule of mine fits that, and I will not make something up. What I can do:

${abilities}

${sample}`;
}

const sample = `Here is what an answer can hold. Code:

\`\`\`ts
// Every answer is a stream of small events.
for await (const event of models.streamSimple(model, context)) {
  if (event.type === "text_delta") process.stdout.write(event.delta);
}
\`\`\`

A table:

| Event | What it tells |
| --- | --- |
| \`text_delta\` | a few more characters of the answer |
| \`toolcall_end\` | a call is complete and may run |
| \`done\` | the answer is whole |

And a formula, the sum of a geometric series: $$\\sum_{k=0}^{n} r^k = \\frac{1 - r^{n+1}}{1 - r}$$`;

export function sampleAnswer(): string {
  return sample;
}

const chapters: [string, string][] = [
  [
    "The request",
    "The transcript of this conversation is translated into what the vendor expects: roles, content blocks, tools and options. Nothing is kept between two requests, so the translation starts anew each time.",
  ],
  [
    "The stream",
    "The vendor answers with many small events. An adapter reads them as they come and tells them again in one common form: a block starts, grows by deltas, and ends.",
  ],
  [
    "Thinking",
    "Some models think before they answer. Their thinking is a block of its own; it can be folded away, and its signature goes back only to the model that made it.",
  ],
  [
    "Tool calls",
    "A call arrives piece by piece, too. It runs when the whole message is there and its arguments fit the tool's schema, never before.",
  ],
  [
    "Results",
    "The result of a tool goes back into the transcript, right behind its call. Then the next turn begins, and the model can build on what the tool found.",
  ],
  [
    "The log",
    "Every event of a run gets a number. A page that was reloaded asks for what came after the last number it has, so nothing is lost and nothing comes twice.",
  ],
  [
    "Storage",
    "Finished messages are written down in the browser one by one. The server keeps no conversation; it only runs the loop.",
  ],
  [
    "Stopping",
    "A press on Stop ends the vendor's request at once and tells running tools to give up. What had arrived stays.",
  ],
];

export function longAnswer(): string {
  const parts = chapters.map(([title, text], index) => {
    const detail = [
      `In step ${index + 1} of ${chapters.length}, three things matter:`,
      `1. **Order.** What happens first is told first.`,
      `2. **Completeness.** A half answer is never taken for a whole one.`,
      `3. **Plain sight.** Whatever happened can be looked at afterwards.`,
    ].join("\n");
    return `## ${index + 1}. ${title}\n\n${text}\n\n${detail}\n\n> ${text.split(". ")[0]}. That is the heart of it, and the rest follows from it step by step.`;
  });
  return `# How an answer reaches you\n\nThis is a long answer, so that you can see how length feels.\n\n${parts.join("\n\n")}\n\n${sample}`;
}
