/**
 * Enters text within one document. Keyboard input goes to the frame that holds the focus, and any frame of a page can do so.
 * Errors contain no text.
 */
import type { ElementHandle } from "playwright-core";
import { withTimeout } from "./with-timeout.ts";

const ACTION_MS = 5_000;
const KEY_DELAY_MS = 15;

/**
 * Replaces a field's text. If the page changes or reverts it, enters it again key by key, and then as the field's value.
 * @param isAccepted whether the field's new value is the text, apart from formatting
 * @returns false if no attempt was accepted or the field no longer exists
 */
export async function enterText(
  element: ElementHandle<HTMLElement>,
  text: string,
  isAccepted: (value: string) => boolean,
): Promise<boolean> {
  for (const enter of [replaceAtOnce, replaceByKeys, replaceValue]) {
    const untilMs = performance.now() + ACTION_MS;
    const within = async <Result>(action: Promise<Result>) => await settledBy(action, untilMs);
    try {
      await enter(element, text, within);
      if (isAccepted(await within(element.inputValue({ timeout: ACTION_MS })))) return true;
    } catch {
      // The error of an evaluation may quote its arguments.
      return false;
    }
  }
  return false;
}

/**
 * Closes the suggestions that a page opened while the text was typed, by the Escape key and by leaving the field. The text
 * remains as it was typed.
 */
export async function dismissSuggestions(element: ElementHandle<HTMLElement>): Promise<void> {
  await withTimeout(element.evaluate(leaveField), ACTION_MS).catch(() => null);
}

type Within = <Result>(action: Promise<Result>) => Promise<Result>;

async function replaceAtOnce(element: ElementHandle<HTMLElement>, text: string, within: Within): Promise<void> {
  await element.waitForElementState("visible", { timeout: ACTION_MS });
  await element.waitForElementState("editable", { timeout: ACTION_MS });
  await within(element.evaluate(replaceText, text));
}

async function replaceByKeys(element: ElementHandle<HTMLElement>, text: string, within: Within): Promise<void> {
  await within(element.evaluate(replaceText, ""));
  for (const key of text) {
    await within(element.evaluate(pressKey, key));
    // Scripts may format the value after each key.
    await within(new Promise((resolve) => setTimeout(resolve, KEY_DELAY_MS)));
  }
}

async function replaceValue(element: ElementHandle<HTMLElement>, text: string, within: Within): Promise<void> {
  await within(element.evaluate(setValue, text));
}

async function settledBy<Result>(action: Promise<Result>, untilMs: number): Promise<Result> {
  const settled = await withTimeout(
    action.then((result) => ({ result })),
    Math.max(0, untilMs - performance.now()),
  );
  if (!settled) throw new Error("The field does not respond.");
  return settled.result;
}

/** The members of DOM elements used below. */
interface Field extends EventTarget {
  readonly maxLength?: number;
  readonly ownerDocument: {
    execCommand(command: string, isInteractive?: boolean, value?: string): boolean;
    readonly defaultView: { readonly KeyboardEvent: new (type: string, init: object) => Event };
  };
  focus(): void;
  select?(): void;
}

/** Runs in the page, without interruption by other documents. */
function replaceText(element: unknown, text: string): void {
  const field = element as Field;
  field.focus();
  field.select?.();
  if (text === "") field.ownerDocument.execCommand("delete");
  else field.ownerDocument.execCommand("insertText", false, text);
}

/** Inserts text at the caret of the element's document. Runs in the page. */
export function insertText(element: unknown, text: string): void {
  (element as Field).ownerDocument.execCommand("insertText", false, text);
}

/** Dispatches the events of one key and inserts its character at the caret. Runs in the page. */
export function pressKey(element: unknown, key: string): void {
  const field = element as Field;
  const { KeyboardEvent: PageKeyboardEvent } = field.ownerDocument.defaultView;
  const dispatch = (type: string, keyCode: number, charCode: number) =>
    field.dispatchEvent(
      new PageKeyboardEvent(type, { key, keyCode, charCode, bubbles: true, cancelable: true, composed: true }),
    );
  const [keyCode, charCode] = [key.toUpperCase().charCodeAt(0), key.charCodeAt(0)];
  field.focus();
  if (dispatch("keydown", keyCode, 0) && dispatch("keypress", charCode, charCode))
    field.ownerDocument.execCommand("insertText", false, key);
  dispatch("keyup", keyCode, 0);
}

/** Runs in the page. */
function leaveField(element: unknown): void {
  const field = element as Field & Suggesting;
  const { KeyboardEvent: PageKeyboardEvent } = field.ownerDocument.defaultView;
  const isInDialog = field.closest("dialog, [role=dialog], [aria-modal=true]") !== null;
  // Escape would close a dialog that contains the form.
  if (!isInDialog || field.getAttribute("aria-expanded") === "true") {
    for (const type of ["keydown", "keyup"])
      field.dispatchEvent(
        new PageKeyboardEvent(type, { key: "Escape", code: "Escape", keyCode: 27, bubbles: true, cancelable: true }),
      );
  }
  field.blur();
}

interface Suggesting {
  closest(selector: string): unknown;
  getAttribute(name: string): string | null;
  blur(): void;
}

/** Sets the value as scripts do. Does nothing if the field is too short. Runs in the page. */
function setValue(element: unknown, text: string): void {
  const field = element as Field;
  if (field.maxLength !== undefined && field.maxLength >= 0 && text.length > field.maxLength) return;
  // Frameworks override the property of the element itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text);
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
}
