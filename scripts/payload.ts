/**
 * `npm run --silent payload -- <folder>...`: the request that an adapter would send for a transcript. A folder holds
 * `messages.json` (`{systemPrompt?, messages, tools?, options?}`, or `messages.json.txt`) and `target.json`
 * (`{api, provider, model, …}`, more fields of a model or compat flags). Prints one line of JSON for each folder, in order:
 * `{case, url, headers, body}`, or `{case, error}` where no request was made, which ends the command with 1. Nothing is sent.
 */

import { apiImplementation } from "@/lib/ai/apis";
import { printLine, readArguments } from "./command-line";
import { captureRequest } from "./payload/capture-request";
import { loadPayloadCase } from "./payload/payload-case";
import { caseName } from "./wire-cases/wire-case";

const { folders } = readArguments("npm run --silent payload -- <folder>...", {});
for (const folder of folders) {
  const name = caseName(folder.given);
  try {
    const { model, context, options } = loadPayloadCase(folder.path);
    const { url, headers, body } = await captureRequest(
      apiImplementation(model.api),
      model,
      context,
      options,
    );
    printLine({ case: name, url, headers, body });
  } catch (error) {
    printLine({ case: name, error: String(error) });
    process.exitCode = 1;
  }
}
