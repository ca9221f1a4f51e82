/** What a person does on a page from afar: taken while they are needed there, one thing after the other, and nothing else. */
import type { Page } from "playwright-core";
import type { InputMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../browser.ts";

type Act = Exclude<InputMessage, { type: "security-code" }>;

export interface PersonInput {
  /** Lets the person act from now on, on the origin the page has now. */
  allow(): void;
  forbid(): void;
  /** Does it, or nothing where it is not allowed. */
  accept(word: Act): void;
}

/** Keys that write and move about in a form; none that a browser listens to itself. */
const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...["Enter", "Tab", "Backspace", "Delete", "Escape", "Home", "End", "PageUp", "PageDown", "Shift"],
  ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
]);
/** What waits for a page that does not answer. */
const MAX_WAITING = 64;

export function createPersonInput(page: Page): PersonInput {
  let origin: string | null = null;
  let waiting = 0;
  let chain = Promise.resolve();
  const keysDown = new Set<string>();
  const buttonsDown = new Set<"left" | "middle" | "right">();

  const isAllowed = () => origin !== null && originOf(page.url()) === origin;

  function enqueue(act: () => Promise<unknown>): void {
    if (waiting >= MAX_WAITING) return;
    waiting += 1;
    chain = chain
      .then(async () => void (await act()))
      // A page that is gone takes no input.
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
  }

  async function point({ event, x, y, button = "left", deltaY = 0 }: Extract<Act, { type: "pointer" }>) {
    await page.mouse.move(x * VIEWPORT.width, y * VIEWPORT.height);
    if (event === "wheel") await page.mouse.wheel(0, deltaY);
    if (event === "down") {
      buttonsDown.add(button);
      await page.mouse.down({ button });
    }
    if (event === "up" && buttonsDown.delete(button)) await page.mouse.up({ button });
  }

  async function press({ event, key }: Extract<Act, { type: "key" }>) {
    if (event === "down") {
      keysDown.add(key);
      await page.keyboard.down(key);
    } else if (keysDown.delete(key)) await page.keyboard.up(key);
  }

  /** What the person held down when they were not needed any more. */
  async function letGo() {
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
      enqueue(letGo);
    },
    accept(word) {
      if (!isAllowed()) return;
      // Fewer moves than a hand makes do as well.
      if (word.type === "pointer" && word.event === "move" && waiting > 0) return;
      if (word.type === "key" && word.key.length > 2 && !NAMED_KEYS.has(word.key)) return;
      enqueue(async () => {
        // The page may have gone elsewhere since.
        if (!isAllowed()) return;
        if (word.type === "pointer") await point(word);
        else if (word.type === "key") await press(word);
        else await page.keyboard.insertText(word.text);
      });
    },
  };
}

/** Null where it has none of its own, such as a blank page: nobody acts there. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin;
  return origin === undefined || origin === "null" ? null : origin;
}
