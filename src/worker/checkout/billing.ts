/** Fills in the billing address if a page requests it in addition to the delivery address. */
import { type Address, addressValues, type Values } from "./buyer.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import { click } from "./click.ts";
import type { PageField } from "./document-view.ts";
import { isBilling, purposeOf } from "./field-purposes.ts";
import { hasValue } from "./field-values.ts";
import { check } from "./fill-field.ts";
import { fillForm } from "./fill-form.ts";
import { snapshotUnblocked } from "./navigation.ts";
import { describe, documentsOf, type FrameView } from "./page-snapshot.ts";

const SAME =
  /same as|use (?:my |the )?(?:shipping|delivery)|(?:shipping|delivery) address (?:is|as) (?:my |the )?billing|billing (?:address )?(?:is|matches)|entspricht|identisch|identique|misma|stessa|zelfde/i;
const OTHER = /different|another|other|abweichend|andere|différente|diferente|otra|divers/i;
const SHIP_ELSEWHERE =
  /(?:ship|deliver|send)\b.{0,25}\b(?:different|another|other)|(?:abweichende|andere) (?:liefer|versand)|lie?ferung an (?:eine )?andere|livrer à une (?:autre|adresse différente)|enviar a (?:otra|una dirección (?:diferente|distinta))|spedi(?:re|sci) a un (?:altro|indirizzo diverso)|(?:verzenden|bezorgen) naar een ander|wys(?:łać|yłka) na inny|skicka till en annan|別の(?:住所|お届け先)/i;
const BILLING = /billing|rechnung|factur|fattur|請求/i;

/** Fills in the billing address. If it differs from the delivery address, the page's "same address" option is cleared first. */
export async function fillBilling(run: CheckoutRun, address: Address): Promise<void> {
  const { navigation, session, merchantOrigins, recipe, values, attempts, deliveryFields } = run;
  const isSame = session.job.deliverTo !== null && isSamePlace(session.job.deliverTo, address);
  const documents = async () =>
    documentsOf(await snapshotUnblocked(navigation)).filter(({ url }) => merchantOrigins.has(url));
  for (const document of await documents()) {
    if (isSame || !(await selectOtherAddress(document))) continue;
    await navigation.traffic.waitUntilSettled(navigation.page);
  }
  /** Whether the only address of the checkout is the one that it delivers to, regardless of its caption. */
  const isOnlyAddress = (document: FrameView) =>
    !isSame &&
    session.job.deliverTo !== null &&
    isEqual(
      deliveryFields,
      streetsOf(document).map(({ key }) => key),
    );
  for (const document of await documents()) {
    if (isOnlyAddress(document) && (await shipElsewhere(document)))
      await navigation.traffic.waitUntilSettled(navigation.page);
  }
  const billing = { ...values, ...addressValues(address) };
  // Two rounds, because other fields depend on the country.
  for (let round = 0; round < 2; round += 1) {
    let filled = 0;
    for (const document of await documents()) {
      filled += (
        await fillForm(document, { values, billing: isOnlyAddress(document) ? null : billing, recipe, attempts })
      ).length;
    }
    if (filled === 0) break;
    await session.step("Fill in the billing address", { outcome: `Filled ${filled} fields`, screenshot: false });
    await navigation.traffic.waitUntilSettled(navigation.page);
  }
  if (isSame || session.job.deliverTo === null) return;
  const usesShipTo = !(await documents()).some((document) => hasBillingPlace(document, billing));
  run.onBilling(usesShipTo);
  if (usesShipTo)
    await session.step("Fill in the billing address", {
      outcome: "No field for it; the merchant bills the delivery address",
      screenshot: false,
    });
}

/** Whether a document's billing address is the cardholder's. */
function hasBillingPlace({ fields }: FrameView, values: Values): boolean {
  return fields.some((field) => {
    const purpose = isBilling(field) ? purposeOf(field) : null;
    return (purpose === "address1" || purpose === "postal_code") && hasValue(field, purpose, values);
  });
}

/** Returns a key of each street field that receives the address of the delivery. */
export function deliveryFieldsOf(view: FrameView): string[] {
  const streets = streetsOf(view);
  const ofDelivery = streets.filter(({ field }) => !isBilling(field));
  return (ofDelivery.length > 0 ? ofDelivery : streets).map(({ key }) => key);
}

function streetsOf({ url, fields }: FrameView): { readonly field: PageField; readonly key: string }[] {
  return fields
    .filter((field) => purposeOf(field) === "address1")
    .map((field) => ({ field, key: `${url.split(/[?#]/)[0]} ${describe(field)} ${field.group}` }));
}

/** Opens the form for a delivery address beside that for billing. Returns whether the page has one. */
async function shipElsewhere(document: FrameView): Promise<boolean> {
  const option = document.fields.find(
    ({ type, checked, label }) => type === "checkbox" && !checked && SHIP_ELSEWHERE.test(label),
  );
  return option !== undefined && (await check(document, option));
}

const isEqual = (one: ReadonlySet<string>, other: readonly string[]) =>
  one.size > 0 && one.size === new Set(other).size && other.every((member) => one.has(member));

async function selectOtherAddress(document: FrameView): Promise<boolean> {
  const isBillingChoice = ({ label, group, name }: PageField) => BILLING.test(`${label} ${group} ${name}`);
  const other = document.fields.find(
    (field) => field.type === "radio" && isBillingChoice(field) && OTHER.test(field.label),
  );
  if (other) return !other.checked && (await check(document, other));
  const same = document.fields.find(
    (field) => field.type === "checkbox" && field.checked && isBillingChoice(field) && SAME.test(field.label),
  );
  const element = same && (await document.element(same.index));
  return element ? (await click(element)) || (await check(document, same)) : false;
}

function isSamePlace(one: Address, other: Address): boolean {
  const place = ({ address1, address2, city, postalCode, countryCode }: Address) =>
    [address1, address2, city, postalCode, countryCode].map((part) => (part ?? "").toLowerCase()).join("\n");
  return place(one) === place(other);
}
