import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { type ToolSource, toolTitle } from "../tools/tool-source";
import { toolResults } from "./tool-results";

/** Tool calls of the open conversation. */
export const storeToolSource: ToolSource = {
  useFacts(entryId, toolCallId) {
    const result = useConversation((state) =>
      toolResults(state.entries).get(entryId)?.get(toolCallId),
    );
    const live = useConversation((state) => {
      const tools = state.run?.state.tools;
      return tools && Object.hasOwn(tools, toolCallId) ? tools[toolCallId] : undefined;
    });
    const active = useConversation((state) => state.busy);
    return { result, live, active };
  },
  useLabel(toolName) {
    const label = useModels((state) => state.tools.find((tool) => tool.name === toolName)?.label);
    return label ?? toolTitle(toolName);
  },
  async answer({ id, name }, answer) {
    await useConversation.getState().answerTool(id, answer);
    if (!answer.always) return;
    // The run itself no longer asks; this is for the ones to come.
    const { tools, set } = useSettings.getState();
    await set({ tools: { ...tools, [name]: "auto" } });
  },
};
