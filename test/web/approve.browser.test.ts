/** Approval page of a purchase: it shows the complete purchase document, and signs only that document. */
import { createHash, randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consumeApproval } from "../../src/checkout/approvals/approvals.ts";
import { openBuyer, SOCKS } from "../checkout/dispatch/buyer.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { announceUntilShown } from "./publish-until-shown.ts";
import { createPendingPurchase, PURCHASE } from "./purchases.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
let account: TestAccount;
let person: PageUser;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  account = await pages.stack.account();
  person = await openSignedInPage(pages, account.accountId);
  await person.addAuthenticator();
});
afterAll(() => pages?.stop());

const prisma = () => pages.stack.service.deps.db.prisma;
const text = async () => ((await person.page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ");
const approvalOf = ({ approvalId }: { approvalId: string }) =>
  prisma().checkoutApproval.findUniqueOrThrow({ where: { id: approvalId } });
const button = (name: string) => person.page.getByRole("button", { name, exact: true });
async function open(purchase: { readonly approvalId: string }) {
  await person.page.goto(`/approve/${purchase.approvalId}`);
  await button("Deny").waitFor();
}

it("shows the complete purchase on one phone screen, adds a passkey, and signs the document with it", async () => {
  const { page } = person;
  const purchase = await createPendingPurchase(pages.stack, account);
  await open(purchase);
  await page.getByText("Approving requires a passkey. Your account has none.").waitFor();
  await expect.poll(() => button("Approve").isDisabled()).toBe(true);
  await checkPage(person, "approve-no-passkey");
  await button("Add passkey").click();
  await expect.poll(() => button("Approve").isEnabled()).toBe(true);
  const shown = await text();
  for (const part of [
    "Travel agent requests a purchase",
    "at Harbour Outfitters, harbour.example (sandbox: no real money is charged)",
    "The amount exceeds the standing policy's limit per order.",
    "32.45 GBP",
    "Final amount, with delivery and tax.",
    "2 × Wool socks, Grey / M24.00 GBP",
    "1 × Waxed laces3.50 GBP",
    "Royal Mail, tracked4.95 GBP",
    "Ada Lovelace, 12 St James's Square, London SW1Y 4JH, United Kingdom",
    "Visa ending 4242",
    "Paid with Visa ending 4242, only at harbour.example or known processors",
    `“${PURCHASE.user_prompt}”`,
  ]) {
    expect(shown).toContain(part);
  }
  expect(shown).not.toContain("Up to");
  await expect.poll(() => page.getByRole("timer").textContent()).toMatch(/^1[45]:\d\d$/);
  await checkPage(person, "approve");
  await page.setViewportSize({ width: 360, height: 740 });
  const heightPx = await page.evaluate("document.documentElement.scrollHeight");
  expect(heightPx, "fits a phone").toBeLessThanOrEqual(740);
  await page.setViewportSize({ width: 1200, height: 900 });

  await button("Approve").click();
  await page.getByRole("heading", { name: "Approved", exact: true }).waitFor();
  const approval = await approvalOf(purchase);
  expect(approval.status).toBe("approved");
  const { client_data_json } = approval.signature as { client_data_json: string };
  const { challenge } = JSON.parse(Buffer.from(client_data_json, "base64url").toString());
  expect(challenge).toBe(
    createHash("sha256")
      .update(canonicalize(approval.document) ?? "")
      .digest("base64url"),
  );
  await checkPage(person, "approve-approved");
  // The agent dispatches the order meanwhile, and the page receives the update.
  const { accountId, tokenId: requesterId } = account;
  const { token, dispatchSha256, orderId } = purchase;
  await consumeApproval(prisma(), { token, dispatchSha256, accountId, requesterId });
  const ordered = page.getByRole("heading", { name: "Approved and ordered" });
  await announceUntilShown(pages.stack, { accountId, id: orderId }, ordered);
  await expect
    .poll(() => page.getByRole("link", { name: "Track order" }).getAttribute("href"))
    .toBe(`/orders/${orderId}`);
}, 60_000);

it("labels a maximum amount as such, and states the choices left to the merchant's checkout", async () => {
  const purchase = await createPendingPurchase(pages.stack, account, {
    user_prompt: null,
    merchant: { ...PURCHASE.merchant, is_test: false, is_pooled: false },
    card_entry: {
      page_origins: ["https://harbour.example", "https://pay.example"],
      frame_origins: ["https://f.example"],
    },
    amount_minor: 1_500_250,
    amount_is_final: false,
    currency: "KWD",
    delivery: null,
    destination: { kind: "pickup", id: "loc_1", name: "Old Town", address: "Gulf Street 7, Kuwait City" },
    constraints: {
      max_total_minor: 1_600_000,
      max_shipping_minor: null,
      max_subtotal_minor: null,
      max_item_minor: 5_000,
    },
  });
  await open(purchase);
  const shown = await text();
  expect(shown).toContain("Up to 1,500.250 KWD");
  expect(shown).toContain("The charge cannot exceed this amount.");
  expect(shown).toContain("Delivery is selected at the merchant’s checkout, within the amount above.");
  expect(shown).toContain("Pickup atOld TownGulf Street 7, Kuwait City");
  expect(shown).toContain("Requested limits1,600.000 KWD total, 5.000 KWD per item");
  expect(shown).toContain("(explored by you; its name is not verified)");
  expect(shown).toContain("Visa ending 4242, only at harbour.example, pay.example, f.example");
  expect(shown).not.toMatch(/Your request|sandbox|known processors/);
  await checkPage(person, "approve-ceiling");
  await button("Deny").click();
  await person.page.getByRole("heading", { name: "Denied" }).waitFor();
  await expect.poll(() => text()).toContain("No purchase was made and your card was not charged.");
  expect((await approvalOf(purchase)).status).toBe("denied");
});

describe("a document that the page cannot show completely", () => {
  /** Without a passkey the Approve button is disabled anyway. */
  const addPasskey = () =>
    prisma().passkey.create({
      data: {
        ...{ id: randomUUID(), accountId: account.accountId, name: "Phone" },
        ...{ publicKey: new Uint8Array(8), transports: [], isBackedUp: false },
      },
    });

  it.each<[string, object, string]>([
    ["an unknown member", { gift_wrap_minor: 900 }, "contains members that this page cannot display"],
    ["an unknown type", { type: "checkout.subscription.1" }, "contains members that this page cannot display"],
    [
      "an address other than the stored one",
      { destination: { ...PURCHASE.destination, sha256: "0".repeat(64) } },
      "differs from the stored delivery address",
    ],
  ])("cannot be approved with %s", async (what, change, words) => {
    await addPasskey();
    const purchase = await createPendingPurchase(pages.stack, account, change);
    await open(purchase);
    await person.page.getByText(words).waitFor();
    await expect.poll(() => button("Approve").isDisabled()).toBe(true);
    if (what === "an unknown member") await checkPage(person, "approve-not-whole");
    await button("Deny").click();
    await person.page.getByRole("heading", { name: "Denied" }).waitFor();
  });

  it("is not signed if the service starts the approval of another document", async () => {
    const { page } = person;
    await addPasskey();
    const [purchase, other] = [
      await createPendingPurchase(pages.stack, account),
      await createPendingPurchase(pages.stack, account),
    ];
    await page.route("**/graphql", async (route) => {
      const body = route.request().postData() ?? "";
      const isStart = body.includes("mutation StartPurchaseApproval");
      await route.continue(isStart ? { postData: body.replace(purchase.approvalId, other.approvalId) } : {});
    });
    await open(purchase);
    await button("Approve").click();
    await page.getByText("The document to sign differs from the one shown here. Nothing was signed.").waitFor();
    expect([(await approvalOf(purchase)).status, (await approvalOf(other)).status]).toEqual(["pending", "pending"]);
    expect(person.browserErrors).toEqual([]);
  });
});

it("isolates bidirectional text of merchants and agents", async () => {
  const hostile = "\u202eFOR FREE\u202d";
  const purchase = await createPendingPurchase(pages.stack, account, {
    asked_by: hostile,
    user_prompt: `${hostile}<script>alert(1)</script>`,
    lines: [{ ...PURCHASE.lines[0], title: hostile.repeat(40) }],
  });
  await open(purchase);
  await checkPage(person, "approve-hostile");
  const holders = await person.page
    .getByText("FOR FREE")
    .evaluateAll((found) => found.map(({ localName }) => localName));
  expect(holders.toSorted()).toEqual(["bdi", "bdi", "bdi", "pre"]);
});

it("shows that the approval expired and nothing was bought, without a reload", async () => {
  const purchase = await createPendingPurchase(pages.stack, account);
  await open(purchase);
  await prisma().checkoutApproval.update({
    where: { id: purchase.approvalId },
    data: { expiresAt: new Date(Date.now() + 1_500) },
  });
  await person.page.reload();
  await person.page.getByRole("heading", { name: "Expired" }).waitFor();
  await expect.poll(() => text()).toContain("The approval expired without a decision. No purchase was made.");
});

it("shows a decision made in another browser", async () => {
  const purchase = await createPendingPurchase(pages.stack, account);
  await open(purchase);
  const other = await openSignedInPage(pages, account.accountId);
  await other.page.goto(`/approve/${purchase.approvalId}`);
  await other.page.getByRole("button", { name: "Deny" }).click();
  await person.page.getByRole("heading", { name: "Denied" }).waitFor();
});

it("shows nothing to another account, and returns to the page after sign-in", async () => {
  const purchase = await createPendingPurchase(pages.stack, account);
  const path = `/approve/${purchase.approvalId}`;
  const otherUser = await pages.openUser();
  await otherUser.page.goto(path);
  await otherUser.page.waitForURL("**/sign-in?return_to=**");
  await pages.signIn(otherUser, "mallory@example.test", path);
  await otherUser.page.getByRole("heading", { name: "Purchase not found" }).waitFor();
  const mainText = (await otherUser.page.locator("main").textContent()) ?? "";
  expect(mainText).toContain("No such purchase in mallory@example.test.");
  expect(mainText).not.toContain("Harbour");
  await otherUser.page.goto("/approve/apr_none");
  await otherUser.page.getByRole("heading", { name: "Purchase not found" }).waitFor();
  await otherUser.page.getByRole("link", { name: "Switch account" }).click();
  await otherUser.page.waitForURL("**/sign-in?return_to=%2Fapprove%2Fapr_none");
  expect((await approvalOf(purchase)).status).toBe("pending");
});

it("approves an order dispatched by an agent, which is then placed unchanged", async () => {
  const { stack, origin } = pages;
  const buyer = await openBuyer(stack.service);
  const items = [{ sku: SOCKS, quantity: 2 }];
  const { id: merchant_id } = await prisma().merchant.findFirstOrThrow({ where: { name: "Harbour Outfitters" } });
  const cart = { merchant_id, items };
  const { json: quote } = await buyer.quote(cart);
  const options: { title: string; id: string }[] = quote.fulfillment_options;
  const chosen = { ...cart, fulfillment_option_id: options.find(({ title }) => title === "Standard")?.id };
  const { json: bound } = await buyer.quote(chosen);
  const confirmation = { user_confirmation_text: "Yes, please.", user_approved_at_iso: "2024-11-20T17:29:16Z" };
  const body = { ...chosen, ...confirmation, amount_minor: bound.expected_amount_minor, currency: bound.currency };
  const dispatched = await buyer.dispatch(body);
  expect([dispatched.status, dispatched.json.approval_required]).toEqual([202, true]);

  const { page, addAuthenticator } = await pages.openUser();
  await addAuthenticator();
  const cookies = [...buyer.visitor.cookies].map(([name, value]) => ({ name, value, url: origin }));
  await page.context().addCookies(cookies);
  await page.goto("/dashboard/security");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByText(/^Passkey “.*” added\.$/).waitFor();
  await page.goto(dispatched.json.approval_url);
  await page.getByText("2 × Wool socks").waitFor();
  await expect.poll(() => page.locator("main").textContent()).toContain("28.95 GBP");
  await page.getByText("12 St James's Square").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved", exact: true }).waitFor();
  const placed = await buyer.dispatch({ ...body, approval_token: dispatched.json.approval_token });
  expect([placed.status, placed.json.order_id]).toEqual([200, dispatched.json.order_id]);
  await page.getByRole("heading", { name: "Approved and ordered" }).waitFor();
}, 60_000);
