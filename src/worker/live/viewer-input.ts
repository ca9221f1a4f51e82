/** Applies a viewer's pointer and keyboard input to the page, in order, and only while an action is required. */
import type { Page } from "playwright-core";
import type { InputMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../browser.ts";

type PageInput = Exclude<InputMessage, { type: "security-code" }>;

export interface ViewerInput {
  /** Allows input from now on, on the page's current origin only. */
  allow(): void;
  forbid(): void;
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

export function createViewerInput(page: Page): ViewerInput {
  let origin: string | null = null;
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

  async function sendPointer({ event, x, y, button = "left", deltaY = 0 }: Extract<PageInput, { type: "pointer" }>) {
    await page.mouse.move(x * VIEWPORT.width, y * VIEWPORT.height);
    if (event === "wheel") await page.mouse.wheel(0, deltaY);
    if (event === "down") {
      buttonsDown.add(button);
      await page.mouse.down({ button });
    }
    if (event === "up" && buttonsDown.delete(button)) await page.mouse.up({ button });
  }

  async function sendKey({ event, key }: Extract<PageInput, { type: "key" }>) {
    if (event === "down") {
      keysDown.add(key);
      await page.keyboard.down(key);
    } else if (keysDown.delete(key)) await page.keyboard.up(key);
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
    accept(input) {
      if (!isAllowed()) return;
      // Pointer moves are skipped while other input is queued.
      if (input.type === "pointer" && input.event === "move" && queuedCount > 0) return;
      if (input.type === "key" && input.key.length > 2 && !NAMED_KEYS.has(input.key)) return;
      enqueue(async () => {
        // The page may have navigated to another origin meanwhile.
        if (!isAllowed()) return;
        if (input.type === "pointer") await sendPointer(input);
        else if (input.type === "key") await sendKey(input);
        else await page.keyboard.insertText(input.text);
      });
    },
  };
}

/** Returns null for pages without an origin, such as `about:blank`, on which no input is allowed. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === "null" ? null : origin;
}
