import { describe, expect, it } from "vitest";
import { withoutRepeatedIds } from "./repeated-ids.ts";

const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
const call = (callId: string, id?: string): object => ({
  type: "function_call",
  call_id: callId,
  ...(id && { id }),
});

describe("withoutRepeatedIds", () => {
  it("leaves items alone whose ids stand once", () => {
    const items = [{ role: "user", content: "q" }, reasoning, call("a", "fc_1"), call("b", "fc_2")];
    expect(withoutRepeatedIds(items)).toEqual(items);
  });

  it("takes the id from a second call, and gives a second message another one", () => {
    const message = { type: "message", id: "msg_0" };
    expect(
      withoutRepeatedIds([call("a", "fc_0"), message, call("b", "fc_0"), message, message]),
    ).toEqual([
      call("a", "fc_0"),
      message,
      call("b"),
      { ...message, id: "msg_0_2" },
      { ...message, id: "msg_0_3" },
    ]);
  });

  it("leaves out reasoning that stood before, and the id of what it led to", () => {
    const items = [reasoning, call("a", "fc_1"), reasoning, call("b", "fc_2"), call("c", "fc_3")];
    expect(withoutRepeatedIds(items)).toEqual([
      reasoning,
      call("a", "fc_1"),
      call("b"),
      call("c", "fc_3"),
    ]);
  });
});
