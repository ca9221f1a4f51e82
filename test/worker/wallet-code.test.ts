import { expect, it } from "vitest";
import { findChallenge } from "../../src/worker/checkout/bank-challenge.ts";
import { merchantOriginsOf } from "../../src/worker/checkout/merchant-origins.ts";
import type { FrameView, PageView } from "../../src/worker/checkout/page-snapshot.ts";
import { isWalletCode, walletExitOf } from "../../src/worker/checkout/wallet-code.ts";

const PROCESSOR = "https://js.stripe.com";
const CODE_FIELD = {
  autocomplete: "one-time-code",
  inputMode: "numeric",
  maxLength: 6,
  type: "text",
  name: "",
  id: "",
};

function createView(url: string, text: string, more: Partial<Record<keyof FrameView, unknown>> = {}): FrameView {
  const frame = { parentFrame: () => mainFrame, page: () => ({ mainFrame: () => mainFrame }) };
  return {
    ...{ url, text, title: "", headings: [], alerts: [], fields: [CODE_FIELD], frames: [], frame },
    ...{ controls: [{ text: "Verify", disabled: false, index: 0 }], ...more },
  } as unknown as FrameView;
}
const mainFrame = {};

/** A merchant's page with one frame. */
function createPage(inner: FrameView, controls: readonly string[] = []): PageView {
  const frame = { src: inner.url, title: "Dialog", isShown: true, isBadge: false, width: 400, height: 300 };
  const main = createView("https://store.example/checkout", "Checkout", {
    ...{ fields: [], frames: [frame], frame: mainFrame },
    controls: controls.map((text, index) => ({ text, index, disabled: false })),
  });
  return { main, inner: [inner] } as unknown as PageView;
}

const WALLETS = [
  [
    `${PROCESSOR}/v3/elements-inner-link.html`,
    "Confirm it’s you. Enter the code sent to (•••) ••• ••01 to use Link to pay faster",
  ],
  ["https://shop.app/pay", "Confirm it’s you. Enter the code sent to your phone to log in to Shop Pay"],
  ["https://pay.shopify.com/auth", "Gib den Code ein, um dich anzumelden"],
] as const;

it.each(WALLETS)("declines the code of a wallet and reports no challenge: %s", (url, text) => {
  const leave = { text: "Pay without Link", disabled: false, index: 1 };
  const view = createView(url, text, { controls: [{ text: "Verify", disabled: false, index: 0 }, leave] });
  expect(isWalletCode(view)).toBe(true);
  expect(walletExitOf(createPage(view))).toEqual({ view, control: leave });
  expect(
    findChallenge(createPage(view), merchantOriginsOf("https://store.example", []), new Set([PROCESSOR])),
  ).toBeNull();
});

it("does not cancel the merchant's checkout to leave a wallet", () => {
  const [[url, text]] = WALLETS;
  expect(walletExitOf(createPage(createView(url, text), ["Cancel"]))).toBeNull();
  expect(walletExitOf(createPage(createView(url, text), ["Cancel", "Check out as guest"]))?.control.text).toBe(
    "Check out as guest",
  );
});

it.each([
  ["https://acs.bank.example/challenge", "Enter the code we sent to confirm your payment to Link Ltd"],
  ["https://acs.bank.example/challenge", "We sent the code. Open the link in your banking app"],
])("reports the challenge of a bank that names a wallet or a link: %s %s", (url, text) => {
  const page = createPage(createView(url, text));
  const challenge = findChallenge(page, merchantOriginsOf("https://store.example", []), new Set([PROCESSOR]));
  expect(challenge?.origin).toBe("https://acs.bank.example");
});
