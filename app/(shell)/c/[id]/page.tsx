/** A stored conversation. It is in the browser only, so the shell draws it. */
export default function ConversationPage() {
  return null;
}
