/**
 * Applies named keys to an element of the challenge by script. The browser's own keyboard input goes to the frame that holds
 * the focus, which any frame of the page can claim at any time.
 */

/** The members of DOM elements used below. */
interface PageElement extends EventTarget {
  readonly localName: string;
  readonly isConnected: boolean;
  readonly tabIndex: number;
  readonly type?: string;
  readonly name?: string;
  readonly disabled?: boolean;
  readonly form?: PageForm | null;
  readonly isContentEditable: boolean;
  readonly ownerDocument: PageDocument;
  value?: string;
  selectionStart?: number | null;
  selectedIndex?: number;
  readonly options?: { readonly length: number };
  setSelectionRange?(start: number, end: number): void;
  checkVisibility(options: object): boolean;
  getRootNode(): { querySelectorAll(selector: string): Iterable<PageElement> };
  click(): void;
  focus(): void;
}
interface PageForm {
  readonly elements: Iterable<PageElement>;
  requestSubmit(): void;
}
interface PageDocument {
  execCommand(command: string, isInteractive?: boolean, value?: string): boolean;
  readonly defaultView: {
    readonly KeyboardEvent: new (type: string, init: object) => Event;
    readonly Event: new (type: string, init: object) => Event;
    scrollBy(x: number, y: number): void;
    readonly innerHeight: number;
  };
}

/** Dispatches the events of a named key and does what browsers do for it, unless the page prevents that. Runs in the page. */
export function pressNamedKey(target: unknown, key: string): void {
  const element = target as PageElement;
  const { ownerDocument: page } = element;
  const { defaultView: view } = page;
  const dispatch = (type: string) =>
    element.dispatchEvent(
      new view.KeyboardEvent(type, { key, code: key, keyCode: codes[key] ?? 0, which: codes[key] ?? 0, ...bubbling }),
    );
  const bubbling = { bubbles: true, cancelable: true, composed: true };
  const codes: Readonly<Record<string, number>> = {
    ...{ Backspace: 8, Tab: 9, Enter: 13, Shift: 16, Escape: 27, PageUp: 33, PageDown: 34, End: 35, Home: 36 },
    ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Delete: 46 },
  };
  const isVisible = (one: PageElement) =>
    one.disabled !== true && one.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  const submit = () => {
    const controls = [...(element.form?.elements ?? [])];
    const button = controls.find(
      ({ localName, type }) =>
        (localName === "button" || localName === "input") && /^(?:submit|image)$/.test(type ?? ""),
    );
    if (button) return button.disabled === true ? undefined : button.click();
    if (controls.filter(({ localName, type }) => localName === "input" && type !== "hidden").length === 1)
      element.form?.requestSubmit();
  };
  const enter = () => {
    if (element.localName === "textarea" || element.isContentEditable) page.execCommand("insertText", false, "\n");
    else if (element.localName === "input" && !/^(?:submit|button|image|reset)$/.test(element.type ?? "")) submit();
    else if (element.localName !== "select") element.click();
  };
  const moveFocus = () => {
    const all = [
      ...element
        .getRootNode()
        .querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, [tabindex]"),
    ].filter((one) => one.tabIndex >= 0 && isVisible(one));
    all[(all.indexOf(element) + 1) % all.length]?.focus();
  };
  const moveCaret = (by: number) => {
    const length = element.value?.length ?? 0;
    if (typeof element.selectionStart !== "number") return;
    const at = Math.min(length, Math.max(0, element.selectionStart + by));
    element.setSelectionRange?.(at, at);
  };
  const step = (by: number) => {
    if (element.localName === "select" && element.selectedIndex !== undefined) {
      const last = (element.options?.length ?? 0) - 1;
      element.selectedIndex = Math.min(last, Math.max(0, element.selectedIndex + by));
      for (const type of ["input", "change"]) element.dispatchEvent(new view.Event(type, { bubbles: true }));
    } else if (element.type === "radio") {
      const group = [...element.getRootNode().querySelectorAll("input[type=radio]")].filter(
        (one) => one.name === element.name && one.form === element.form && isVisible(one),
      );
      const next = group[(group.indexOf(element) + by + group.length) % group.length];
      next?.focus();
      next?.click();
    } else view.scrollBy(0, 40 * by);
  };
  const actions: Readonly<Record<string, () => unknown>> = {
    ...{ Enter: enter, Tab: moveFocus },
    Backspace: () => page.execCommand("delete"),
    Delete: () => page.execCommand("forwardDelete"),
    ...{ ArrowLeft: () => moveCaret(-1), ArrowRight: () => moveCaret(1) },
    ...{ Home: () => moveCaret(Number.NEGATIVE_INFINITY), End: () => moveCaret(Number.POSITIVE_INFINITY) },
    ...{ ArrowUp: () => step(-1), ArrowDown: () => step(1) },
    PageUp: () => view.scrollBy(0, -view.innerHeight),
    PageDown: () => view.scrollBy(0, view.innerHeight),
  };
  const isDefault = dispatch("keydown") && (key !== "Enter" || dispatch("keypress"));
  if (isDefault) actions[key]?.();
  if (element.isConnected) dispatch("keyup");
}

/** Activates a button or a choice, as the space bar does. Returns false for other elements. Runs in the page. */
export function pressSpace(target: unknown): boolean {
  const element = target as PageElement;
  const isButton = element.localName === "button" || /^(?:checkbox|radio|submit|button)$/.test(element.type ?? "");
  if (isButton) element.click();
  return isButton;
}
