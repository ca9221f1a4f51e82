/** Buyer at the sandbox stores who uses a browser and only the texts of the pages. */
import type { Browser, FrameLocator, Page } from "playwright-core";

export const CARDS = { accepted: "4242424242424242", declined: "4000000000000002", challenged: "4000002760003184" };

export interface Recipient {
  first: string;
  last: string;
  street: string;
  city: string;
  zip?: string;
  province?: string;
  country: string;
}

export interface PickupRecipient {
  first: string;
  last: string;
  isPickup: true;
}

export interface Buyer {
  readonly page: Page;
  /** Fills in name and address and continues, from a page with a "Check out" button or from the checkout. */
  address(to: Recipient | PickupRecipient): Promise<void>;
  /** Selects a delivery option and continues to the card fields. @param option title of the option */
  chooseDelivery(option: string): Promise<void>;
  /** Calls `address`, then `chooseDelivery`. */
  deliver(to: Recipient | PickupRecipient, option: string): Promise<void>;
  card(number: string): Promise<void>;
  pay(): Promise<void>;
  total(): Promise<string>;
  bank(): FrameLocator;
  close(): Promise<void>;
}

const ACTION_TIMEOUT_MS = 20_000;
const EXPIRES = { month: "12", year: String(new Date().getFullYear() + 2) };

export async function openBuyer(browser: Browser, viewport = { width: 1200, height: 900 }): Promise<Buyer> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const field = (label: RegExp) => page.getByLabel(label);
  const cardFrame = () => page.frameLocator('iframe[title="Card details"]');

  async function fillAddress(to: Recipient) {
    await field(/^Country/).selectOption(to.country);
    await field(/^First name/).fill(to.first);
    await field(/^Last name/).fill(to.last);
    await field(/^Address$/).fill(to.street);
    await field(/^City/).fill(to.city);
    if (to.province) await field(/^State/).selectOption(to.province);
    if (to.zip) await field(/^Postal code/).fill(to.zip);
  }

  async function address(to: Recipient | PickupRecipient) {
    const checkOut = page.getByRole("button", { name: "Check out" });
    await checkOut
      .or(field(/^Email/))
      .first()
      .waitFor();
    if (await checkOut.isVisible()) await checkOut.click();
    await field(/^Email/).fill("ada@example.com");
    if ("isPickup" in to) {
      const collect = page.getByText("I collect it");
      // The page reloads with other fields.
      if (await collect.isVisible()) await Promise.all([page.waitForEvent("load"), collect.click()]);
      await field(/^First name/).fill(to.first);
      await field(/^Last name/).fill(to.last);
    } else await fillAddress(to);
    const toDelivery = page.getByRole("button", { name: "Continue to delivery" });
    if (await toDelivery.isVisible()) await toDelivery.click();
  }

  async function chooseDelivery(option: string) {
    await page.getByRole("radio", { name: option }).check();
    const toPayment = page.getByRole("button", { name: "Continue to payment" });
    if (await toPayment.isVisible()) await toPayment.click();
  }

  return {
    page,
    address,
    chooseDelivery,
    async deliver(to, option) {
      await address(to);
      await chooseDelivery(option);
    },
    async card(number) {
      const frame = cardFrame();
      await frame.getByLabel("Card number").fill(number);
      await frame.getByLabel(/name on card|cardholder/i).fill("Ada Lovelace");
      if ((await frame.getByLabel(/month/i).count()) > 0) {
        await frame.getByLabel(/month/i).selectOption(EXPIRES.month);
        await frame.getByLabel(/^year/i).selectOption(EXPIRES.year);
      } else await frame.getByLabel(/expiry|valid until/i).fill(`${EXPIRES.month}/${EXPIRES.year.slice(2)}`);
      await frame.getByLabel(/security code|cvv/i).fill("123");
    },
    pay: () => page.getByRole("button", { name: "Pay now" }).click(),
    total: async () => (await page.locator("tr.total td.money").textContent()) ?? "",
    bank: () => page.frameLocator('iframe[title^="3-D Secure"]'),
    close: () => context.close(),
  };
}
