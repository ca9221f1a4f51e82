/**
 * Applies a viewer's pointer and keyboard input to the challenge, in order, and only while an action is required. Text is
 * entered within the challenge's document, because any frame of a page can hold the focus and would receive the keyboard's.
 */
import type { ElementHandle, Frame, JSHandle, Page } from "playwright-core";
import type { InputMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../browser.ts";
import { insertText, pressKey } from "../checkout/enter-text.ts";
import { withTimeout } from "../checkout/with-timeout.ts";
import type { PartyOf } from "./page-party.ts";

type PageInput = Exclude<InputMessage, { type: "security-code" }>;

export interface ViewerInput {
  /** Allows input from now on, on the page's current origin only. */
  allow(): void;
  forbid(): void;
  /** Sets the frame of the challenge, at its current origin. Null: the page itself. */
  setChallengeFrame(frame: Frame | null): void;
  /** Applies the input, or ignores it when input is not allowed. */
  accept(input: PageInput): void;
}

/** The document that shows the challenge, by its frame and origin. */
interface Challenge {
  readonly frame: Frame;
  readonly origin: string | null;
}

/** Keys for typing and moving within a form. Excludes keys that the browser itself handles. */
const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...["Enter", "Tab", "Backspace", "Delete", "Escape", "Home", "End", "PageUp", "PageDown", "Shift"],
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
]);
/** Maximum queued inputs while a page does not respond. */
const MAX_QUEUED = 64;
const DOCUMENT_MS = 2_000;
/** Maximum depth of nested frames in a challenge. */
const MAX_DEPTH = 4;

/** Evaluates to the focused element of a document, including one in shadow trees. */
const ACTIVE_ELEMENT = `(() => {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
})()`;

/** @param partyOf operator of a page; frames of issuers and processors in the challenge may receive its input */
export function createViewerInput(page: Page, partyOf: PartyOf): ViewerInput {
  let origin: string | null = null;
  let challengeFrame: Challenge | null = null;
  let queuedCount = 0;
  let queue = Promise.resolve();
  const keysDown = new Set<string>();
  const buttonsDown = new Set<"left" | "middle" | "right">();

  const isAllowed = () => origin !== null && originOf(page.url()) === origin;

  function enqueue(run: () => Promise<unknown>): void {
    if (queuedCount >= MAX_QUEUED) return;
    queuedCount += 1;
    queue = queue
      .then(async () => void (await run()))
      // Input for a closed page is discarded.
      .catch(() => {})
      .finally(() => {
        queuedCount -= 1;
      });
  }

  /**
   * Returns the focused element of the challenge's document, or of a frame in it that may receive input. Null if another
   * frame has the challenge's focus. The element is bound to its document.
   */
  async function findTarget(challenge: Challenge): Promise<ElementHandle | null> {
    let frame: Frame | null = challenge.frame;
    for (let depth = 0; depth < MAX_DEPTH && frame; depth += 1) {
      const handle: JSHandle = await frame.evaluateHandle(ACTIVE_ELEMENT);
      // Read after the evaluation, which fails if the frame navigated meanwhile.
      const frameOrigin = originOf(frame.url());
      if (frameOrigin === null) return null;
      const isOfBank = depth > 0 && /^(?:issuer|processor)$/.test(partyOf(frameOrigin));
      if (frameOrigin !== challenge.origin && !isOfBank) return null;
      const element: ElementHandle | null = handle.asElement();
      const inner: Frame | null | undefined = await element?.contentFrame();
      if (!inner) return element;
      frame = inner;
    }
    return null;
  }

  async function sendPointer({ event, x, y, button = "left", deltaY = 0 }: Extract<PageInput, { type: "pointer" }>) {
    await page.mouse.move(x * VIEWPORT.width, y * VIEWPORT.height);
    if (event === "wheel") await page.mouse.wheel(0, deltaY);
    if (event === "down") {
      buttonsDown.add(button);
      await page.mouse.down({ button });
    }
    if (event === "up" && buttonsDown.delete(button)) await page.mouse.up({ button });
  }

  async function sendText(text: string, challenge: Challenge) {
    const target = await findTarget(challenge);
    if (isAllowed()) await target?.evaluate(insertText, text);
  }

  async function sendKey({ event, key }: Extract<PageInput, { type: "key" }>, challenge: Challenge) {
    if (event === "up") {
      if (keysDown.delete(key)) await page.keyboard.up(key);
      return;
    }
    const target = await findTarget(challenge);
    if (!target || !isAllowed()) return;
    if (!NAMED_KEYS.has(key)) return await target.evaluate(pressKey, key);
    // Another frame could receive a named key between this check and the key, but no part of the code.
    const frame = await target.ownerFrame();
    if (!(await frame?.evaluate("document.hasFocus()"))) return;
    keysDown.add(key);
    await page.keyboard.down(key);
  }

  /** Releases keys and buttons that were still pressed when input was forbidden. */
  async function releaseHeldInput() {
    for (const key of keysDown) await page.keyboard.up(key);
    for (const button of buttonsDown) await page.mouse.up({ button });
    keysDown.clear();
    buttonsDown.clear();
  }

  return {
    allow() {
      origin = originOf(page.url());
    },
    forbid() {
      origin = null;
      enqueue(releaseHeldInput);
    },
    setChallengeFrame(frame) {
      const isInner = frame !== null && frame !== page.mainFrame();
      challengeFrame = isInner ? { frame, origin: originOf(frame.url()) } : null;
    },
    accept(input) {
      if (!isAllowed()) return;
      // Pointer moves are skipped while other input is queued.
      if (input.type === "pointer" && input.event === "move" && queuedCount > 0) return;
      if (input.type === "key" && input.key.length > 2 && !NAMED_KEYS.has(input.key)) return;
      // The challenge that the viewer saw, which may change before the input is applied.
      const challenge = challengeFrame ?? { frame: page.mainFrame(), origin };
      enqueue(async () => {
        // The page may have navigated to another origin meanwhile.
        if (!isAllowed()) return;
        if (input.type === "pointer") await sendPointer(input);
        else
          await withTimeout(
            input.type === "key" ? sendKey(input, challenge) : sendText(input.text, challenge),
            DOCUMENT_MS,
          );
      });
    },
  };
}

/** Returns null for pages without an origin, such as `about:blank`, on which no input is allowed. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === "null" ? null : origin;
}
