import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import type { InputWord } from "./live-words.ts";

/** Keys that do something; Tab is left out, so that the keyboard leaves the picture as it came. */
const NAMED_KEYS = new Set(
  "Enter Backspace Delete Escape ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown".split(" "),
);
const BUTTONS = ["left", "middle", "right"] as const;

interface Props {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly isShown: boolean;
  readonly isLarge: boolean;
  /** Whether what is done on it goes to the page. */
  readonly acts: boolean;
  readonly send: (word: InputWord) => void;
}

/** The picture. A mouse is passed on as it moves; a finger scrolls, and its tap is a click. */
export function LiveScreen({ canvas, isShown, isLarge, acts, send }: Props) {
  const lastMove = useRef(0);
  const frame = useRef<HTMLElement>(null);
  useWheel(canvas, acts, send);
  const onPointer = (event: "move" | "down" | "up") => (pointer: PointerEvent<HTMLCanvasElement>) => {
    if (!acts || pointer.pointerType === "touch") return;
    if (event === "move") {
      // With each frame of a screen at most.
      if (pointer.timeStamp - lastMove.current < 16) return;
      lastMove.current = pointer.timeStamp;
      return send({ type: "pointer", event, ...placeOf(pointer) });
    }
    if (event === "down") pointer.currentTarget.setPointerCapture(pointer.pointerId);
    const button = BUTTONS[pointer.button];
    if (button) send({ type: "pointer", event, ...placeOf(pointer), button });
  };
  const onTap = (click: MouseEvent<HTMLCanvasElement>) => {
    if (!acts || (click.nativeEvent as { pointerType?: string }).pointerType !== "touch") return;
    const place = placeOf(click);
    send({ type: "pointer", event: "move", ...place });
    send({ type: "pointer", event: "down", ...place, button: "left" });
    send({ type: "pointer", event: "up", ...place, button: "left" });
  };
  const onKey = (event: "down" | "up") => (key: KeyboardEvent) => {
    if (!acts || key.ctrlKey || key.metaKey || key.altKey) return;
    if (NAMED_KEYS.has(key.key)) send({ type: "key", event, key: key.key });
    else if ([...key.key].length !== 1) return;
    else if (event === "down") send({ type: "text", text: key.key });
    key.preventDefault();
  };
  // What a bank asks stands in the middle of the page.
  useLayoutEffect(() => {
    const { current: shown } = frame;
    if (!isShown || !isLarge || !shown) return;
    shown.scrollTo((shown.scrollWidth - shown.clientWidth) / 2, (shown.scrollHeight - shown.clientHeight) / 2);
  }, [isShown, isLarge]);
  return (
    <section
      ref={frame}
      aria-label="Live picture"
      tabIndex={isLarge ? 0 : undefined}
      className={`overflow-auto rounded-md border border-line ${isShown ? "" : "hidden"} ${isLarge ? "max-h-[80dvh]" : ""}`}
    >
      <canvas
        ref={canvas}
        role={acts ? "application" : "img"}
        aria-label={
          acts
            ? "The bank’s page. What you type and click here goes to it; Tab leaves it."
            : "The shop’s page as the checkout sees it"
        }
        tabIndex={acts ? 0 : undefined}
        onPointerMove={onPointer("move")}
        onPointerDown={onPointer("down")}
        onPointerUp={onPointer("up")}
        onClick={onTap}
        onKeyDown={onKey("down")}
        onKeyUp={onKey("up")}
        onContextMenu={(event) => acts && event.preventDefault()}
        className={`block h-auto ${isLarge ? "w-[max(150%,56rem)] max-w-none" : "w-full"} ${acts ? "cursor-crosshair" : ""}`}
      />
    </section>
  );
}

/** Where on the picture, 0 to 1. */
function placeOf({ clientX, clientY, currentTarget }: MouseEvent<HTMLCanvasElement>) {
  return placeIn(currentTarget, clientX, clientY);
}

function placeIn(element: Element, clientX: number, clientY: number) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const share = (at: number, size: number) => Math.min(1, Math.max(0, size > 0 ? at / size : 0));
  return { x: share(clientX - left, width), y: share(clientY - top, height) };
}

/** React's own handler could not keep this page from scrolling. */
function useWheel(canvas: Props["canvas"], acts: boolean, send: Props["send"]): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element || !acts) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const deltaY = Math.max(-10_000, Math.min(10_000, event.deltaY));
      send({ type: "pointer", event: "wheel", ...placeIn(element, event.clientX, event.clientY), deltaY });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, acts, send]);
}
