/** Fills in the billing address if a page requests it in addition to the delivery address. */
import { type Address, addressValues } from "./buyer.ts";
import { click } from "./click.ts";
import type { PageField } from "./document-view.ts";
import { check } from "./fill-field.ts";
import { fillForm } from "./fill-form.ts";
import { snapshotUnblocked } from "./navigation.ts";
import { documentsOf, type FrameView } from "./page-snapshot.ts";
import type { CheckoutRun } from "./reach-payment.ts";

const SAME =
  /same as|use (?:my |the )?(?:shipping|delivery)|(?:shipping|delivery) address (?:is|as) (?:my |the )?billing|billing (?:address )?(?:is|matches)|entspricht|identisch|identique|misma|stessa|zelfde/i;
const OTHER = /different|another|other|abweichend|andere|différente|diferente|otra|divers/i;
const BILLING = /billing|rechnung|factur|fattur|請求/i;

/** Fills in the billing address. If it differs from the delivery address, the page's "same address" option is cleared first. */
export async function fillBilling(run: CheckoutRun, address: Address): Promise<void> {
  const { navigation, session, merchantOrigins, recipe, values, attempts } = run;
  const isSame = session.job.deliverTo !== null && isSamePlace(session.job.deliverTo, address);
  const documents = async () =>
    documentsOf(await snapshotUnblocked(navigation)).filter(({ url }) => merchantOrigins.has(url));
  for (const document of await documents()) {
    if (isSame || !(await selectOtherAddress(document))) continue;
    await navigation.traffic.waitUntilSettled(navigation.page);
  }
  // Two rounds, because other fields depend on the country.
  for (let round = 0; round < 2; round += 1) {
    let filled = 0;
    for (const document of await documents()) {
      filled += (
        await fillForm(document, { values, billing: { ...values, ...addressValues(address) }, recipe, attempts })
      ).length;
    }
    if (filled === 0) return;
    await session.step("Fill in the billing address", { outcome: `Filled ${filled} fields`, screenshot: false });
    await navigation.traffic.waitUntilSettled(navigation.page);
  }
}

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
