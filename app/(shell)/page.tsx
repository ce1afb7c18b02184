/** A new conversation. The shell draws it, so that it stays when it gets an address of its own. */
export default function NewChatPage() {
  return null;
}
