interface Key {
  key: string;
  shiftKey: boolean;
  altKey: boolean;
  isComposing: boolean;
  keyCode: number;
}

/**
 * Whether a key sends the message: Enter alone, and never the Enter that ends an input method's word. Safari tells of that
 * one after the composition has ended, with the key code 229 as its only mark.
 */
export function isSendKey(event: Key): boolean {
  return (
    event.key === "Enter" &&
    !event.shiftKey &&
    !event.altKey &&
    !event.isComposing &&
    event.keyCode !== 229
  );
}
