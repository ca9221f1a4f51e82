/** The control of a review that places the order, by the texts of the page. */
import { expect, it } from "vitest";
import type { PageView } from "../../src/worker/checkout/page-snapshot.ts";
import { findDialogControl, findPlaceControl, placesOrder } from "../../src/worker/checkout/place-control.ts";
import { fieldWith } from "./page-fields.ts";

interface Button {
  readonly text: string;
  readonly disabled?: boolean;
  readonly form?: number;
  readonly isSubmit?: boolean;
  readonly tag?: string;
  readonly overlay?: number;
}

function pageWith(buttons: readonly Button[], { title = "Confirm order", fields = [fieldWith({ form: 9 })] } = {}) {
  const controls = buttons.map((button, index) => ({
    ...{ index, tag: "button", name: "", disabled: false, isSubmit: true, form: 0, overlay: -1 },
    ...button,
  }));
  return { main: { title, headings: [], fields, controls } } as unknown as PageView;
}

const textOf = async (page: PageView, shown: PageView | null = null) =>
  (await findPlaceControl(page, { shown, recipe: null }))?.text ?? null;

it.each([
  ["a named order before a bare confirmation", [{ text: "Confirm" }, { text: "Place order" }], "Place order"],
  ["a bare confirmation", [{ text: "Edit" }, { text: "Confirm" }], "Confirm"],
  ["the only button of the review", [{ text: "Apply coupon" }, { text: "Go", form: 1 }], "Go"],
  ["no button of a form with fields", [{ text: "Go", form: 9 }], null],
  ["no link", [{ text: "Confirm", tag: "a" }], null],
  ["no way out", [{ text: "Cancel order" }], null],
  ["none of several confirmations", [{ text: "Confirm" }, { text: "Submit" }], null],
  [
    "none of several buttons",
    [
      { text: "Go", form: 1 },
      { text: "Send", form: 2 },
    ],
    null,
  ],
])("is %s", async (_what, buttons, expected) => {
  expect(await textOf(pageWith(buttons))).toBe(expected);
});

it("is no unnamed button of a page that names no review", async () => {
  expect(await textOf(pageWith([{ text: "Go" }], { title: "Our shop" }))).toBeNull();
});

it("is what could not be pressed before, while the card fields remain", async () => {
  const shown = pageWith([{ text: "Continue" }, { text: "Purchase", disabled: true }, { text: "Pay now" }]);
  expect(await textOf(pageWith([{ text: "Pay now" }, { text: "Confirm" }]), shown)).toBeNull();
  expect(await textOf(pageWith([{ text: "Pay now" }, { text: "Purchase" }]), shown)).toBe("Purchase");
});

it("is the only new control of a dialog that requests a second confirmation", async () => {
  const shown = pageWith([{ text: "Place order" }]);
  const dialog = (...texts: string[]) =>
    pageWith([{ text: "Place order" }, ...texts.map((text) => ({ text, overlay: 0 }))]);
  const find = async (page: PageView) => (await findDialogControl(page, { shown, recipe: null }))?.text ?? null;
  expect(await find(dialog("Cancel", "Confirm"))).toBe("Confirm");
  expect(await find(dialog("Close", "Place order"))).toBe("Place order");
  expect(await find(dialog("Close"))).toBeNull();
  expect(await find(dialog("Confirm", "Pay now"))).toBeNull();
  expect(await find(shown)).toBeNull();
});

it("names an order that does not exist yet, not one of a recommendation", () => {
  const control = (text: string) => pageWith([{ text }]).main.controls[0];
  const placing = ["Confirm the Order", "Place order", "Buy now", "Track my order", "Confirm"].map((text) => {
    const found = control(text);
    return found !== undefined && placesOrder(found);
  });
  expect(placing).toEqual([true, true, false, false, false]);
});
