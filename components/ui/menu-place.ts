interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

const GAP = 6;
const MARGIN = 8;

/** Where a menu goes, in px of the window: below its button, above it when there is more room, never over the edge. */
export function menuPlace(
  button: Box,
  menu: Pick<Box, "width" | "height">,
  view: { width: number; height: number },
): { left: number; top: number } {
  const below = view.height - button.bottom;
  const above = button.top;
  const fitsBelow = below >= menu.height + GAP + MARGIN;
  const top =
    fitsBelow || below >= above
      ? Math.min(button.bottom + GAP, view.height - menu.height - MARGIN)
      : button.top - GAP - menu.height;
  const start =
    button.left + menu.width + MARGIN <= view.width ? button.left : button.right - menu.width;
  const left = Math.min(start, view.width - menu.width - MARGIN);
  return { left: Math.max(MARGIN, left), top: Math.max(MARGIN, top) };
}
