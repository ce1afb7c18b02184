import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** Fractions of a pixel: a zoomed page never scrolls to its exact end. */
const AT_END_PX = 2;

export interface FollowEnd {
  atEnd: boolean;
  /** Goes to the end and stays there. */
  toEnd: (how?: ScrollBehavior) => void;
}

/**
 * Keeps a box that grows scrolled to its end, as long as the reader is there. Any movement up, by one notch of the wheel
 * even, ends that; being at the very end begins it again. There is no zone near the end that pulls the reader down.
 *
 * @param scroller the box that scrolls
 * @param content what grows inside it
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): FollowEnd {
  const following = useRef(true);
  const lastTop = useRef(0);
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = useCallback(
    (how: ScrollBehavior = "instant") => {
      const box = scroller.current;
      if (!box) return;
      following.current = true;
      box.scrollTo({ top: box.scrollHeight, behavior: how });
      setAtEnd(true);
    },
    [scroller],
  );

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;

    const look = (): void => {
      const end = box.scrollHeight - box.clientHeight - box.scrollTop <= AT_END_PX;
      // Content that shrinks moves the view up as well, but to the end.
      if (end) following.current = true;
      else if (box.scrollTop < lastTop.current) following.current = false;
      lastTop.current = box.scrollTop;
      setAtEnd(end || following.current);
    };
    const letGo = (): void => {
      if (box.scrollHeight > box.clientHeight) following.current = false;
    };
    // The wheel is heard before the view moves: growth in the same frame must not pull it back.
    const wheel = (event: WheelEvent): void => {
      if (event.deltaY < 0) letGo();
    };
    const grown = new ResizeObserver(() => {
      if (following.current) {
        box.scrollTop = box.scrollHeight;
        lastTop.current = box.scrollTop;
      }
      look();
    });

    box.addEventListener("scroll", look, { passive: true });
    box.addEventListener("wheel", wheel, { passive: true });
    grown.observe(inner);
    grown.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      box.removeEventListener("wheel", wheel);
      grown.disconnect();
    };
  }, [scroller, content]);

  return { atEnd, toEnd };
}
