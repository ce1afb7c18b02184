/**
 * Whether a key belongs to an input method, as when Enter takes a candidate. Safari tells of the end of the composition
 * before it tells of the key that ended it; that key has the code 229 still.
 */
export function isComposing(event: { isComposing?: boolean; keyCode?: number }): boolean {
  return event.isComposing === true || event.keyCode === 229;
}
