import { conversationAddress, NEW_CHAT } from "@/components/shell/addresses";
import { navigate } from "@/components/shell/navigate";

/** The first message of a new conversation turns the address into its own. */
export function navigateAfterSend(conversationId: string): void {
  if (window.location.pathname === NEW_CHAT) {
    navigate(conversationAddress(conversationId), "replace");
  }
}
