/** Finds what a viewer's input may reach: elements of the challenge's documents, and points at which the challenge is shown. */
import type { ElementHandle, Frame, JSHandle } from "playwright-core";
import type { PartyOf } from "./page-party.ts";

/** The document that shows the challenge, by its frame and origin. */
export interface Challenge {
  readonly frame: Frame;
  readonly origin: string | null;
}

/** Maximum depth of nested frames in a challenge. */
const MAX_DEPTH = 4;

/** Evaluates to the focused element of a document, including one in shadow trees. Null if the document itself is focused. */
const ACTIVE_ELEMENT = `(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active === document.body || active === document.documentElement ? null : active;
})()`;

/** Evaluates to the field for the bank's code, or else the first text field or button; null if there is none. */
const CODE_FIELD = `(() => {
  const all = [];
  const collect = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) collect(element.shadowRoot);
      if (element.matches("input, textarea, button, [role=button]")) all.push(element);
    }
  };
  collect(document);
  const open = all.filter((element) => !element.disabled && !element.readOnly && element.type !== "hidden" &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }));
  const isTyped = (element) => element.localName === "textarea" ||
    (element.localName === "input" && /^(?:text|tel|number|password|email|search|url)$/.test(element.type));
  const typed = open.filter(isTyped);
  const name = (element) => [element.name, element.id, element.placeholder, element.ariaLabel, ...[...(element.labels ?? [])].map((label) => label.textContent)].join(" ");
  return typed.find((element) => element.autocomplete.includes("one-time-code")) ??
    typed.find((element) => /otp|code|\\btan\\b|pass|pin\\b/i.test(name(element))) ??
    typed[0] ?? open.find((element) => !isTyped(element) && element.type !== "checkbox" && element.type !== "radio") ?? null;
})()`;

/**
 * Returns the focused element of the challenge's document, or of a frame in it that may receive input. Without one, focuses
 * and returns the field for the code. Null if another frame has the challenge's focus. The element is bound to its document.
 */
export async function findTarget(challenge: Challenge, partyOf: PartyOf): Promise<ElementHandle | null> {
  let frame: Frame | null = challenge.frame;
  for (let depth = 0; depth < MAX_DEPTH && frame; depth += 1) {
    const handle: JSHandle = await frame.evaluateHandle(ACTIVE_ELEMENT);
    // Read after the evaluation, which fails if the frame navigated meanwhile.
    if (!mayReceive(frame, depth, challenge, partyOf)) return null;
    const element: ElementHandle | null = handle.asElement();
    if (!element) return await focusCodeField(challenge, partyOf);
    const inner: Frame | null = await element.contentFrame();
    if (!inner) return element;
    frame = inner;
  }
  return null;
}

/** Focuses the field for the code in the challenge's document, or in a frame of it. Returns null if there is none. */
async function focusCodeField(challenge: Challenge, partyOf: PartyOf): Promise<ElementHandle | null> {
  let frames: readonly Frame[] = [challenge.frame];
  for (let depth = 0; depth < MAX_DEPTH && frames.length > 0; depth += 1) {
    for (const frame of frames) {
      const found: JSHandle = await frame.evaluateHandle(CODE_FIELD);
      const field: ElementHandle | null = found.asElement();
      if (!field || !mayReceive(frame, depth, challenge, partyOf)) continue;
      await field.evaluate(focus);
      return field;
    }
    frames = frames.flatMap((frame) => frame.childFrames());
  }
  return null;
}

/** Whether a frame of the challenge may receive input, by its current origin. */
function mayReceive(frame: Frame, depth: number, challenge: Challenge, partyOf: PartyOf): boolean {
  const origin = originOf(frame.url());
  if (origin === null) return false;
  return origin === challenge.origin || (depth > 0 && /^(?:issuer|processor)$/.test(partyOf(origin)));
}

/**
 * Whether the topmost element at a point of the page is the challenge's frame. The page around it is the merchant's, and
 * must not be activated.
 * @param x in CSS pixels of the viewport
 */
export async function isChallengeAt({ frame }: Challenge, x: number, y: number): Promise<boolean> {
  for (let at: Frame | null = frame; at; ) {
    const parent: Frame | null = at.parentFrame();
    if (!parent) return true;
    const element = await at.frameElement();
    const offset = parent.parentFrame() ? await (await parent.frameElement()).boundingBox() : { x: 0, y: 0 };
    if (!offset || !(await element.evaluate(isTopmost, { x: x - offset.x, y: y - offset.y }))) return false;
    at = parent;
  }
  return true;
}

/** The members of DOM elements used below. */
interface PageElement {
  readonly shadowRoot: PageRoot | null;
  readonly ownerDocument: PageRoot;
  focus(): void;
}
interface PageRoot {
  elementFromPoint(x: number, y: number): PageElement | null;
}

/** Runs in the page. */
function focus(element: unknown): void {
  (element as PageElement).focus();
}

/** Runs in the parent page of a frame. */
function isTopmost(element: unknown, { x, y }: { readonly x: number; readonly y: number }): boolean {
  const frame = element as PageElement;
  let top = frame.ownerDocument.elementFromPoint(x, y);
  for (let root = top?.shadowRoot; root; root = top?.shadowRoot) {
    const inner: PageElement | null = root.elementFromPoint(x, y);
    if (!inner || inner === top) break;
    top = inner;
  }
  return top === frame;
}

/** Returns null for pages without an origin, such as `about:blank`, on which no input is allowed. */
export function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === "null" ? null : origin;
}
