/**
 * Applies a viewer's pointer and keyboard input to the challenge, in order, and only while an action is required. Text and
 * keys are entered within the challenge's document, because any frame of a page can hold the focus and would receive the
 * keyboard's. Nothing outside the challenge is clicked.
 */
import type { Frame, Page } from "playwright-core";
import type { InputMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../browser.ts";
import { insertText, pressKey } from "../checkout/enter-text.ts";
import { withTimeout } from "../checkout/with-timeout.ts";
import { pressNamedKey, pressSpace } from "./challenge-keys.ts";
import { type Challenge, findTarget, isChallengeAt, originOf } from "./challenge-target.ts";
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

/** Keys for typing and moving within a form. Excludes keys that the browser itself handles. */
const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...["Enter", "Tab", "Backspace", "Delete", "Escape", "Home", "End", "PageUp", "PageDown", "Shift"],
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
]);
/** Maximum queued inputs while a page does not respond. */
const MAX_QUEUED = 64;
const DOCUMENT_MS = 2_000;
/** @param partyOf operator of a page; frames of issuers and processors in the challenge may receive its input */
export function createViewerInput(page: Page, partyOf: PartyOf): ViewerInput {
  let origin: string | null = null;
  let challengeFrame: Challenge | null = null;
  let queuedCount = 0;
  let queue = Promise.resolve();
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

  async function sendPointer(
    { event, x, y, button = "left", deltaY = 0 }: Extract<PageInput, { type: "pointer" }>,
    challenge: Challenge,
  ) {
    const [left, top] = [x * VIEWPORT.width, y * VIEWPORT.height];
    if (event === "up" && !buttonsDown.has(button)) return;
    // Scrolling may be needed to reach the challenge, and activates nothing.
    const isInside = event === "wheel" || buttonsDown.size > 0 || (await isChallengeAt(challenge, left, top));
    if (!isInside || !isAllowed()) return;
    await page.mouse.move(left, top);
    if (event === "wheel") await page.mouse.wheel(0, deltaY);
    if (event === "down") {
      buttonsDown.add(button);
      await page.mouse.down({ button });
    }
    if (event === "up" && buttonsDown.delete(button)) await page.mouse.up({ button });
  }

  async function sendText(text: string, challenge: Challenge) {
    const target = await findTarget(challenge, partyOf);
    if (!target || !isAllowed()) return;
    if (text === " " && (await target.evaluate(pressSpace))) return;
    await target.evaluate(insertText, text);
  }

  async function sendKey(key: string, challenge: Challenge) {
    const target = await findTarget(challenge, partyOf);
    if (target && isAllowed()) await target.evaluate(NAMED_KEYS.has(key) ? pressNamedKey : pressKey, key);
  }

  /** Focuses the field for the code, so that the cardholder can type at once. */
  function focusCode() {
    const challenge = challengeFrame ?? { frame: page.mainFrame(), origin };
    enqueue(async () => {
      if (!isAllowed()) return;
      await challenge.frame.waitForLoadState("domcontentloaded", { timeout: DOCUMENT_MS });
      await withTimeout(findTarget(challenge, partyOf), DOCUMENT_MS);
    });
  }

  /** Releases buttons that were still pressed when input was forbidden. */
  async function releaseButtons() {
    for (const button of buttonsDown) await page.mouse.up({ button });
    buttonsDown.clear();
  }

  page.on("framenavigated", (frame) => {
    if (!isAllowed()) return;
    const top = challengeFrame?.frame ?? page.mainFrame();
    for (let at: Frame | null = frame; at; at = at.parentFrame()) if (at === top) focusCode();
  });

  return {
    allow() {
      origin = originOf(page.url());
      focusCode();
    },
    forbid() {
      origin = null;
      enqueue(releaseButtons);
    },
    setChallengeFrame(frame) {
      const isInner = frame !== null && frame !== page.mainFrame();
      challengeFrame = isInner ? { frame, origin: originOf(frame.url()) } : null;
    },
    accept(input) {
      if (!isAllowed()) return;
      // Pointer moves are skipped while other input is queued.
      if (input.type === "pointer" && input.event === "move" && queuedCount > 0) return;
      if (input.type === "key" && (input.event === "up" || (input.key.length > 2 && !NAMED_KEYS.has(input.key))))
        return;
      // The challenge that the viewer saw, which may change before the input is applied.
      const challenge = challengeFrame ?? { frame: page.mainFrame(), origin };
      enqueue(async () => {
        // The page may have navigated to another origin meanwhile.
        if (!isAllowed()) return;
        const sending =
          input.type === "pointer"
            ? sendPointer(input, challenge)
            : input.type === "key"
              ? sendKey(input.key, challenge)
              : sendText(input.text, challenge);
        await withTimeout(sending, DOCUMENT_MS);
      });
    },
  };
}
