/** A buyer who knows each checkout of the gallery: proof that it can be paid, independent of the checkout worker. */
import type { Frame, Locator, Page } from "playwright-core";
import type { GalleryMerchant } from "../../sandbox/store/gallery/gallery.ts";
import { HOMES } from "../checkout/gallery/homes.ts";

const STATES: Readonly<Record<string, string>> = { US: "California", CA: "Ontario", AU: "Victoria" };
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ GB: "United Kingdom", US: "United States", DE: "Germany", CA: "Canada", AU: "Australia", FR: "France" },
};
const MAX_ACTIONS = 30;

/** Buttons and links in the order in which a buyer prefers them. Each expression is tried on the whole page. */
const PRESSES: readonly RegExp[] = [
  /^(reject all|alle ablehnen|accept)$/i,
  /^(no thanks|pay without link|check out as guest|enter address manually|debit or credit card|close)$/i,
  /^(continue as guest|checkout as guest|card|add a card|show delivery options)$/i,
  /^standard|^choose a/i,
  /^(use my shipping address)$/i,
  /^(continue|next|select( this method)?$|confirm|weiter|continuer|suivant|review order|proceed|save and continue|adresse?)\b/i,
  /^choose /i,
  /^(pay|place|complete|purchase|submit|confirm order|buy|order and|bestelling|jetzt|kaufen|zahlungspflichtig|commander|passer|payer|make)/i,
  /^(checkout|zur kasse|naar de kassa|sign in \/ checkout)$/i,
];

type Values = readonly (readonly [RegExp, string])[];

function valuesOf({ market }: GalleryMerchant): Values {
  const home = HOMES[market];
  const [street = "", houseNumber = ""] = [/^(.*?) (\d+)$/.exec(home.address1)?.[1], /\d+/.exec(home.address1)?.[0]];
  return [
    [
      /newsletter|coupon|voucher|finder|password|passwort|mot de passe|login|username(?!\w)|vat|company|soci|firma|org/i,
      "",
    ],
    [/oxsal/i, "*"],
    [/cc_type/i, "Visa"],
    [/kundentyp/i, "Privatkunde"],
    [/card_owner/i, "Ada Lovelace"],
    [/card_expires_month/i, "April"],
    [/card.?number|cc-number|1234 1234|cardnumber/i, "4242424242424242"],
    [/exp.*month|cc-exp-month/i, "04"],
    [/exp.*year|cc-exp-year/i, "2031"],
    [/exp|mm ?\/ ?yy|valid/i, "04/31"],
    [/cvc|cvv|security|cc-csc|card.?code|card_code/i, "123"],
    [/name on card|cc-name|cardholder|holder/i, "Ada Lovelace"],
    [/e-?mail|my email/i, "ada@people.example"],
    [/hausnummer|huisnummer|streetnr/i, houseNumber],
    [/stra(ß|ss)e$|strasse$/i, street],
    [/country|\bland$|pays/i, COUNTRIES[home.countryCode] ?? ""],
    [/level1|state|province|region\b|region_id|zone/i, STATES[home.countryCode] ?? ""],
    [/post(al)?.?(code)?|zip|leitzahl|code postal/i, home.postalCode],
    [/city|town|suburb|ort$|ville|level2|line4/i, home.city],
    [/apartment|address.?2|line2|street.?\[?1|zusatz|compl/i, ""],
    [/address|street|line1|stra|adresse/i, home.address1],
    [/phone|tel/i, home.phone],
    [/first|given|vorname|pr.nom/i, "Ada"],
    [/last|family|nachname|surname|\bnom\b/i, "Lovelace"],
    [/full name|^name/i, "Ada Lovelace"],
    [/anrede|salutation|delivery/i, "*"],
  ];
}

/** Places one order. @throws Error if the confirmation is not reached */
export async function buyAtShape(page: Page, merchant: GalleryMerchant): Promise<void> {
  const values = valuesOf(merchant);
  await page.goto(`${merchant.url}/cart/900011:1`);
  const pressed: string[] = [];
  for (let action = 0; action < MAX_ACTIONS; action += 1) {
    if (merchant.charges.length > 0 && /GAL-\d+/.test((await page.locator("body").textContent()) ?? "")) return;
    for (const frame of page.frames()) await fillFrame(frame, values);
    const target = await findPress(page, pressed);
    if (target) {
      pressed.push(`${page.url()} ${target.name}`);
      await target.locator.click({ timeout: 3_000 }).catch(() => {});
    }
    await page.waitForTimeout(target ? 350 : 600);
  }
  throw new Error(`${merchant.name}: not paid. Pressed ${pressed.join(", ")}.`);
}

async function fillFrame(frame: Frame, values: Values): Promise<void> {
  const controls = await frame
    .locator("input, select")
    .all()
    .catch(() => []);
  for (const control of controls) await fillControl(control, values).catch(() => {});
  const standard = frame.locator("[role=radio][aria-checked=false]", { hasText: "Standard" });
  if (
    await standard
      .first()
      .isVisible()
      .catch(() => false)
  )
    await standard.first().click();
  const listed = frame.locator("[role=option]", { hasText: /^Standard/ });
  if (
    await listed
      .first()
      .isVisible()
      .catch(() => false)
  )
    await listed.first().click();
  // Buttons with a role, which a label names.
  for (const control of [
    frame.getByRole("radio", { name: /standard/i, checked: false }).and(frame.locator("button")),
    frame.getByRole("checkbox", { name: /accept/i, checked: false }).and(frame.locator("button")),
  ]) {
    if ((await control.count()) === 1) await control.click({ timeout: 500 });
  }
  const box = frame.locator("[role=combobox][aria-expanded=false]", { hasText: /^(Select|Choose a state)$/ });
  if (
    !(await box
      .first()
      .isVisible()
      .catch(() => false))
  )
    return;
  await box.first().click();
  await frame.locator("[role=option]", { hasText: /^California$/ }).click();
}

/** Everything that names a control, as its buyer reads it. */
const describe = (control: Locator) =>
  control.evaluate((element: HTMLInputElement) => {
    const { type, value, checked, required, name, placeholder, tagName } = element;
    const label = (element.labels?.[0] ?? element.closest("label"))?.textContent?.trim() ?? "";
    const of = (attribute: string) => element.getAttribute(attribute) ?? "";
    const names = [
      of("autocomplete"),
      label,
      placeholder,
      of("aria-label"),
      name,
      of("data-encrypted-name"),
      of("data-name"),
      element.id,
    ];
    // intl-tel-input has the country code beside the field, and opens its list of countries for a plus sign.
    const hasDialCode = element.closest(".iti") !== null;
    return { type, value, checked, required, tagName, label, names, hasDialCode };
  });

async function fillControl(control: Locator, values: Values): Promise<void> {
  const { type, value, checked, required, tagName, label, names, hasDialCode } = await describe(control);
  if (type === "hidden" || type === "search") return;
  if (type === "radio") {
    const choice = `${label} ${(await control.getAttribute("value")) ?? ""}`;
    if (checked || !/standard|credit ?card|^ ?card|guest|carte|kreditkarte|frau/i.test(choice)) return;
    // Pages hide radio buttons behind their labels.
    await control.check({ timeout: 500 }).catch(() => control.evaluate((radio: HTMLInputElement) => radio.click()));
    return;
  }
  if (type === "checkbox") {
    const isAccepted = required || /agree|accept|akkoord|gelesen/i.test(`${label} ${names.join(" ")}`);
    if (isAccepted && !checked) await control.check({ timeout: 500 });
    if (/protection/i.test(label) && checked) await control.uncheck({ timeout: 500 });
    return;
  }
  // Lists of an expiry date may have a date that is chosen already.
  if (value !== "" && !names.some((name) => /expires/.test(name))) return;
  const known = names
    .filter((name) => name !== "")
    .map((name) => values.find(([pattern]) => pattern.test(name))?.[1])
    .find((text) => text !== undefined);
  if (!known) return;
  if (tagName !== "SELECT") {
    const typed = hasDialCode ? known.replace(/^\+\d+ /, "") : known;
    if (await control.isVisible()) await control.pressSequentially(typed, { timeout: 3_000 });
    return;
  }
  const options = await control.evaluate((element) =>
    [...(element as unknown as HTMLSelectElement).options].map((option) => [option.text, option.value] as const),
  );
  const option = options.find(
    ([text, code]) => code !== "" && (known === "*" || text === known || text === known.slice(-2) || code === known),
  );
  // Widgets hide the select and show its value elsewhere.
  if (option) await control.selectOption({ value: option[1] }, { force: true, timeout: 500 });
}

const CLICKABLE =
  'button, a, [role=button], input[type=submit], input[type=image], [style*="cursor: pointer"]:not(label)';

/** Returns what a buyer reads on a control. Controls of a dialog and of a group have names of their own. */
function nameOf(element: HTMLElement | SVGElement): string {
  const image = element.querySelector("img");
  const text = [element.getAttribute("aria-label"), element.getAttribute("alt"), element.textContent, image?.alt];
  const name = text.find((one) => one?.trim())?.trim() ?? "";
  const group = name === "Choose" ? element.closest("fieldset")?.querySelector("legend")?.textContent : "";
  return `${name}${group ? ` ${group}` : ""}${element.closest(".modal") ? " in the dialog" : ""}`;
}

async function findPress(page: Page, pressed: readonly string[]): Promise<{ name: string; locator: Locator } | null> {
  const shown: { name: string; locator: Locator }[] = [];
  for (const frame of page.frames()) {
    const candidates = frame.locator(CLICKABLE);
    for (const locator of await candidates.all().catch(() => [])) {
      if (!(await locator.isVisible().catch(() => false)) || !(await locator.isEnabled().catch(() => false))) continue;
      const name = (await locator.evaluate(nameOf).catch(() => "")).trim();
      // One of several buttons, each in the row of a delivery.
      const row = name === "Select" ? await locator.locator("xpath=ancestor::tr").textContent() : "Standard";
      if (row?.includes("Standard")) shown.push({ name, locator });
    }
  }
  for (const [rank, pattern] of PRESSES.entries()) {
    // A button that opened something is pressed once; a button that sends a form may be pressed twice.
    const limit = rank < 4 ? 1 : 2;
    const found = shown.find(
      ({ name }) =>
        pattern.test(name) &&
        !/^pay with |paypal|pay later|continue shopping/i.test(name) &&
        pressed.filter((one) => one === `${page.url()} ${name}`).length < limit + (/^continue/i.test(name) ? 3 : 0),
    );
    if (found) return found;
  }
  return null;
}
