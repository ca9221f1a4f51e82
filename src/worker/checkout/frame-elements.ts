/** Visibility and position of frames, evaluated in the documents that contain their elements. */
import type { ElementHandle, Frame } from "playwright-core";
import { withTimeout } from "./with-timeout.ts";

/** Smallest frame that processors use for one field, in pixels. */
const MIN_SIZE = { width: 20, height: 10 };
const FRAME_MS = 2_000;

/** Returns a document's own frame and its ancestors, without the page's main frame. */
export function frameChainOf(frame: Frame): Frame[] {
  const chain: Frame[] = [];
  for (let at: Frame | null = frame; at?.parentFrame(); at = at.parentFrame()) chain.push(at);
  return chain;
}

/** Whether a document is visible: its own frame and every ancestor frame. */
export async function isFrameVisible(frame: Frame): Promise<boolean> {
  for (const at of frameChainOf(frame)) {
    const element = await frameElementOf(at);
    if (!element || !(await withTimeout(element.evaluate(isShown, MIN_SIZE), FRAME_MS).catch(() => false)))
      return false;
  }
  return true;
}

/**
 * Whether a frame lies in the form that a control submits. True if the control has no form. The frame must be a child of the
 * control's document.
 */
export async function isFrameInFormOf(frame: Frame, control: ElementHandle): Promise<boolean> {
  const element = await frameElementOf(frame);
  if (!element) return false;
  return (await withTimeout(element.evaluate(isInFormOf, control), FRAME_MS).catch(() => false)) ?? false;
}

/** Whether a control belongs to a form. False if its document does not respond. */
export async function isInForm(control: ElementHandle): Promise<boolean> {
  return (await withTimeout(control.evaluate(hasForm), FRAME_MS).catch(() => false)) ?? false;
}

async function frameElementOf(frame: Frame): Promise<ElementHandle | null> {
  return await withTimeout(frame.frameElement(), FRAME_MS).catch(() => null);
}

/** The members of DOM elements used below. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
interface PageElement {
  readonly parentElement: PageElement | null;
  /** Of buttons and fields. */
  readonly form?: PageElement | null;
  readonly ownerDocument: {
    readonly documentElement: { readonly scrollWidth: number; readonly scrollHeight: number };
    readonly defaultView: Readonly<Record<"scrollX" | "scrollY", number>> & {
      getComputedStyle(element: PageElement): { readonly overflowX: string; readonly clipPath: string };
    };
  };
  checkVisibility(options: object): boolean;
  closest(selector: string): PageElement | null;
  getBoundingClientRect(): Box;
  /** A document or a shadow root; only the latter has a host. */
  getRootNode(): { readonly host?: PageElement };
}

/** Runs in the parent page of a frame. */
function isShown(element: unknown, minSize: { readonly width: number; readonly height: number }): boolean {
  const frame = element as PageElement;
  if (!frame.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const { documentElement: root, defaultView: page } = frame.ownerDocument;
  let { left, right, top, bottom } = frame.getBoundingClientRect();
  const clip = (box: Box) => {
    left = Math.max(left, box.left);
    right = Math.min(right, box.right);
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
  };
  const parentOf = (at: PageElement) => at.parentElement ?? at.getRootNode().host ?? null;
  for (let at = parentOf(frame); at && parentOf(at); at = parentOf(at)) {
    const { overflowX, clipPath } = page.getComputedStyle(at);
    // Content clipped by the body is still reachable by scrolling.
    if (parentOf(parentOf(at) ?? at) && (overflowX !== "visible" || clipPath !== "none")) {
      clip(at.getBoundingClientRect());
    }
  }
  const [x, y] = [-page.scrollX, -page.scrollY];
  clip({ left: x, right: x + root.scrollWidth, top: y, bottom: y + root.scrollHeight });
  return right - left >= minSize.width && bottom - top >= minSize.height;
}

/** Runs in the page. */
function hasForm(control: unknown): boolean {
  const button = control as PageElement;
  return (button.form ?? button.closest("form")) !== null;
}

/** Runs in the parent page of a frame. */
function isInFormOf(element: unknown, control: unknown): boolean {
  const button = control as PageElement;
  const form = button.form ?? button.closest("form");
  if (!form) return true;
  for (let at = element as PageElement | null; at; at = at.parentElement ?? at.getRootNode().host ?? null) {
    if (at === form) return true;
  }
  return false;
}
