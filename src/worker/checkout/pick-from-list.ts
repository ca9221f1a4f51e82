/** Chooses an option of a list that scripts draw: ARIA comboboxes and widgets in place of a select. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElementHandle, Frame } from "playwright-core";
import { z } from "zod";
import { click } from "./click.ts";
import type { PageField } from "./document-view.ts";
import { pressKey } from "./enter-text.ts";
import { withTimeout } from "./with-timeout.ts";

type Option = PageField["options"][number];
/** Returns the chosen one of the options; null without one. */
export type Choose = (options: readonly Option[]) => Option | null;

const LIST_OPTIONS = readFileSync(join(import.meta.dirname, "in-page", "list-options.js"), "utf8")
  .trimEnd()
  .replace(/;$/, "");
const Listed = z
  .array(z.object({ text: z.string().max(100), value: z.string().max(100), disabled: z.boolean() }))
  .max(1_000);
const OPEN_MS = 1_200;
const POLL_INTERVAL_MS = 60;
const READ_MS = 2_000;

/**
 * Opens the list, chooses an option by a click, and types into the list's search if the option is not among the first.
 * Leaves the list closed. @param search text that narrows the list
 * @returns false if no option was chosen
 */
export async function pickFromList(
  trigger: ElementHandle<HTMLElement>,
  choose: Choose,
  search: string,
): Promise<boolean> {
  const frame = await trigger.ownerFrame();
  if (!frame) return false;
  const isTextInput = await within(trigger.evaluate(isEditable));
  // The element that has the focus afterwards belongs to the list.
  await within(trigger.evaluate(leaveFocus));
  if (!(await readList(frame, trigger)).isOpen && !(await click(trigger))) return false;
  let option = await waitForOption(frame, trigger, choose, isTextInput ? 400 : OPEN_MS);
  if (!option) {
    // Long lists show only what matches the text in their search.
    const isTyped = await within(trigger.evaluate(typeIntoSearch, search));
    if (isTyped) option = await waitForOption(frame, trigger, choose, OPEN_MS);
  }
  // Lists may react to the pointer and close before the click.
  const isChosen = option !== null && ((await click(option)) || !(await within(option.evaluate(isConnected))));
  if (!isChosen) await within(trigger.evaluate(pressKey, "Escape"));
  return isChosen;
}

async function waitForOption(
  frame: Frame,
  trigger: ElementHandle<HTMLElement>,
  choose: Choose,
  timeMs: number,
): Promise<ElementHandle<HTMLElement> | null> {
  const untilMs = performance.now() + timeMs;
  for (;;) {
    const { options, elementAt } = await readList(frame, trigger);
    const chosen = choose(options);
    const element = chosen && (await elementAt(options.indexOf(chosen)));
    if (element) return element;
    if (performance.now() > untilMs) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

interface List {
  readonly isOpen: boolean;
  readonly options: readonly Option[];
  elementAt(index: number): Promise<ElementHandle<HTMLElement> | null>;
}

async function readList(frame: Frame, trigger: ElementHandle<HTMLElement>): Promise<List> {
  const closed: List = { isOpen: false, options: [], elementAt: async () => null };
  // Playwright calls functions only, so the text is evaluated to a function first.
  const read = await within(
    frame
      .evaluateHandle<(of: unknown) => { options: unknown; elements: unknown[] }>(LIST_OPTIONS)
      .then((list) => list.evaluateHandle((listOptions, of) => listOptions(of), trigger)),
  );
  if (!read) return closed;
  const listed = await read.evaluate(({ options }) => options).catch(() => null);
  const options = Listed.safeParse(listed).data ?? [];
  return {
    isOpen: options.length > 0,
    options,
    async elementAt(index) {
      const handle = await read.evaluateHandle(({ elements }, at) => elements[at] ?? null, index);
      return handle.asElement() as ElementHandle<HTMLElement> | null;
    },
  };
}

async function within<Result>(action: Promise<Result>): Promise<Result | null> {
  return await withTimeout(action, READ_MS).catch(() => null);
}

interface Editable {
  readonly localName: string;
  readonly readOnly?: boolean;
  readonly ownerDocument: { readonly activeElement: Editable | null };
  readonly shadowRoot?: { readonly activeElement: Editable | null } | null;
  focus(): void;
  blur(): void;
  select?(): void;
}

/** Runs in the page. */
function isConnected(element: unknown): boolean {
  return (element as { isConnected: boolean }).isConnected;
}

/** Runs in the page. */
function isEditable(element: unknown): boolean {
  const { localName, readOnly } = element as Editable;
  return localName === "input" && readOnly !== true;
}

/** Runs in the page. */
function leaveFocus(element: unknown): void {
  const { activeElement } = (element as Editable).ownerDocument;
  if (activeElement !== element) activeElement?.blur();
}

/** Types into the list's own input, which holds the focus once the list is open. Runs in the page. */
function typeIntoSearch(element: unknown, text: string): boolean {
  const trigger = element as Editable;
  let active = trigger.localName === "input" ? trigger : trigger.ownerDocument.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active?.localName !== "input" || active.readOnly === true) return false;
  active.focus();
  active.select?.();
  return (
    active.ownerDocument as unknown as { execCommand(name: string, ui: boolean, text: string): boolean }
  ).execCommand("insertText", false, text);
}
