import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import type { InputMessage } from "./live-messages.ts";

/** Forwarded keys. Tab is excluded because it must move the focus out of the image. */
const NAMED_KEYS = new Set(
  "Enter Backspace Delete Escape ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown".split(" "),
);
const BUTTONS = ["left", "middle", "right"] as const;

interface Props {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly isShown: boolean;
  readonly isLarge: boolean;
  /** Whether input is forwarded to the page. */
  readonly isInteractive: boolean;
  readonly send: (word: InputMessage) => void;
}

/** Live image of the page. Mouse movement is forwarded. On touch screens a swipe scrolls and a tap is a click. */
export function LiveScreen({ canvas, isShown, isLarge, isInteractive, send }: Props) {
  const lastMove = useRef(0);
  const frame = useRef<HTMLElement>(null);
  useWheel(canvas, isInteractive, send);
  const onPointer = (event: "move" | "down" | "up") => (pointer: PointerEvent<HTMLCanvasElement>) => {
    if (!isInteractive || pointer.pointerType === "touch") return;
    if (event === "move") {
      // At most once per display frame.
      if (pointer.timeStamp - lastMove.current < 16) return;
      lastMove.current = pointer.timeStamp;
      return send({ type: "pointer", event, ...positionOf(pointer) });
    }
    if (event === "down") pointer.currentTarget.setPointerCapture(pointer.pointerId);
    const button = BUTTONS[pointer.button];
    if (button) send({ type: "pointer", event, ...positionOf(pointer), button });
  };
  const onTap = (click: MouseEvent<HTMLCanvasElement>) => {
    if (!isInteractive || (click.nativeEvent as { pointerType?: string }).pointerType !== "touch") return;
    const position = positionOf(click);
    send({ type: "pointer", event: "move", ...position });
    send({ type: "pointer", event: "down", ...position, button: "left" });
    send({ type: "pointer", event: "up", ...position, button: "left" });
  };
  const onKey = (event: "down" | "up") => (key: KeyboardEvent) => {
    if (!isInteractive || key.ctrlKey || key.metaKey || key.altKey) return;
    if (NAMED_KEYS.has(key.key)) send({ type: "key", event, key: key.key });
    else if ([...key.key].length !== 1) return;
    else if (event === "down") send({ type: "text", text: key.key });
    key.preventDefault();
  };
  // The worker focuses the field for the code, so typing works at once. Focus that the viewer has set elsewhere is not moved.
  useEffect(() => {
    if (isInteractive && isShown && document.activeElement === document.body)
      canvas.current?.focus({ preventScroll: true });
  }, [canvas, isInteractive, isShown]);
  // 3-D Secure challenges are centred on the page.
  useLayoutEffect(() => {
    const { current: element } = frame;
    if (!isShown || !isLarge || !element) return;
    element.scrollTo(
      (element.scrollWidth - element.clientWidth) / 2,
      (element.scrollHeight - element.clientHeight) / 2,
    );
  }, [isShown, isLarge]);
  return (
    <section
      ref={frame}
      aria-label="Live view"
      tabIndex={isLarge ? 0 : undefined}
      className={`overflow-auto rounded-md border border-line ${isShown ? "" : "hidden"} ${isLarge ? "max-h-[80dvh]" : ""}`}
    >
      <canvas
        ref={canvas}
        role={isInteractive ? "application" : "img"}
        aria-label={
          isInteractive
            ? "Page in the checkout browser. Typing and clicks are forwarded to it. Press Tab to leave."
            : "Page in the checkout browser"
        }
        tabIndex={isInteractive ? 0 : undefined}
        onPointerMove={onPointer("move")}
        onPointerDown={onPointer("down")}
        onPointerUp={onPointer("up")}
        onClick={onTap}
        onKeyDown={onKey("down")}
        onKeyUp={onKey("up")}
        onContextMenu={(event) => isInteractive && event.preventDefault()}
        className={`block h-auto ${isLarge ? "w-[max(150%,56rem)] max-w-none" : "w-full"} ${isInteractive ? "cursor-crosshair" : ""}`}
      />
    </section>
  );
}

/** Returns the position of the pointer in the image, 0 to 1 on each axis. */
function positionOf({ clientX, clientY, currentTarget }: MouseEvent<HTMLCanvasElement>) {
  return positionIn(currentTarget, clientX, clientY);
}

function positionIn(element: Element, clientX: number, clientY: number) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const share = (at: number, size: number) => Math.min(1, Math.max(0, size > 0 ? at / size : 0));
  return { x: share(clientX - left, width), y: share(clientY - top, height) };
}

/** Forwards wheel events. React registers passive wheel listeners, which cannot prevent this page from scrolling. */
function useWheel(canvas: Props["canvas"], isInteractive: boolean, send: Props["send"]): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element || !isInteractive) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const deltaY = Math.max(-10_000, Math.min(10_000, event.deltaY));
      send({ type: "pointer", event: "wheel", ...positionIn(element, event.clientX, event.clientY), deltaY });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [canvas, isInteractive, send]);
}
