/** The address of the card, where a page asks for it beside the one it is delivered to. */
import { type Address, addressValues } from "./buyer.ts";
import { click } from "./click.ts";
import { lookPastWalls } from "./course.ts";
import type { PageField } from "./document-view.ts";
import { tick } from "./fill-field.ts";
import { fillForm } from "./fill-form.ts";
import { documentsOf, type FrameView } from "./page-snapshot.ts";
import type { Walk } from "./reach-payment.ts";

const SAME =
  /same as|use (?:my |the )?(?:shipping|delivery)|(?:shipping|delivery) address (?:is|as) (?:my |the )?billing|billing (?:address )?(?:is|matches)|entspricht|identisch|identique|misma|stessa|zelfde/i;
const OTHER = /different|another|other|abweichend|andere|différente|diferente|otra|divers/i;
const BILLING = /billing|rechnung|factur|fattur|請求/i;

/** Fills it in; where the card's is not the delivery's, the page is first told that it is another. */
export async function fillBilling(walk: Walk, address: Address): Promise<void> {
  const { course, session, shop, recipe, values, tries } = walk;
  const isSame = session.job.deliverTo !== null && isSamePlace(session.job.deliverTo, address);
  const documents = async () => documentsOf(await lookPastWalls(course)).filter(({ url }) => shop.has(url));
  for (const document of await documents()) {
    if (isSame || !(await sayOther(document))) continue;
    await course.traffic.settled(course.page);
  }
  // The country first, then what depends on it.
  for (let round = 0; round < 2; round += 1) {
    let filled = 0;
    for (const document of await documents()) {
      filled += (await fillForm(document, { values, billing: { ...values, ...addressValues(address) }, recipe, tries }))
        .length;
    }
    if (filled === 0) return;
    await session.step("fill in the card's address", { outcome: `filled ${filled} fields`, screenshot: false });
    await course.traffic.settled(course.page);
  }
}

async function sayOther(document: FrameView): Promise<boolean> {
  const isAbout = ({ label, group, name }: PageField) => BILLING.test(`${label} ${group} ${name}`);
  const other = document.fields.find((field) => field.type === "radio" && isAbout(field) && OTHER.test(field.label));
  if (other) return !other.checked && (await tick(document, other));
  const same = document.fields.find(
    (field) => field.type === "checkbox" && field.checked && isAbout(field) && SAME.test(field.label),
  );
  const element = same && (await document.element(same.index));
  return element ? (await click(element)) || (await tick(document, same)) : false;
}

function isSamePlace(one: Address, other: Address): boolean {
  const place = ({ address1, address2, city, postalCode, countryCode }: Address) =>
    [address1, address2, city, postalCode, countryCode].map((part) => (part ?? "").toLowerCase()).join("\n");
  return place(one) === place(other);
}
