/** Checks of a page before it is left: required fields, the approved address and the merchant's origins. */
import type { CheckoutRun } from "./checkout-run.ts";
import { CheckoutEndedError } from "./ending.ts";
import { findUnapprovedFields } from "./fill-form.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { describe, documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { type MissingField, missingRequiredFields } from "./required-fields.ts";

/** @throws {CheckoutEndedError} the page is not one of the merchant's checkout */
export function assertAtMerchant({ main }: PageView, merchantOrigins: MerchantOrigins): void {
  if (merchantOrigins.has(main.url)) return;
  const { origin } = new URL(main.url);
  throw new CheckoutEndedError("missing_field", `The checkout leads to another site: ${origin}`.slice(0, 300));
}

/** Error of a page that does not continue: the fields that are missing, or a rejection by the merchant. */
export function rejectionError(view: FrameView): CheckoutEndedError {
  const missing = missingRequiredFields(view);
  return missing.length > 0
    ? missingFieldError(missing)
    : new CheckoutEndedError("form_rejected", "The merchant rejected the form");
}

/** Required fields of the checkout that are empty or invalid in any document of the merchant. */
export function missingOnPage(
  { merchantOrigins }: Pick<CheckoutRun, "merchantOrigins">,
  view: PageView,
  isBillingKnown = false,
): MissingField[] {
  return documentsOf(view)
    .filter(({ url }) => merchantOrigins.has(url))
    .flatMap((document) => missingRequiredFields(document, isBillingKnown));
}

/** Returns the error of a page that holds another address than the approved one; null if it does not. */
export async function unapprovedOnPage(
  { merchantOrigins, values, recipe }: CheckoutRun,
  view: PageView,
): Promise<CheckoutEndedError | null> {
  const documents = documentsOf(view).filter(({ url }) => merchantOrigins.has(url));
  const found = await Promise.all(
    documents.map((document) => findUnapprovedFields(document, { values, billing: null, recipe })),
  );
  const names = found.flat().map((field) => field.label || describe(field));
  return names.length > 0
    ? new CheckoutEndedError("missing_field", `Not the approved value: ${names.join(", ").slice(0, 300)}`)
    : null;
}

/** Required fields are empty or invalid, and the order has no value for them. */
export class MissingFieldsError extends CheckoutEndedError {
  readonly fields: readonly MissingField[];
  constructor(fields: readonly MissingField[]) {
    const names = fields.map(({ label, key }) => label || key).join(", ");
    super("missing_field", `No value for required fields: ${names.slice(0, 300)}`);
    this.fields = fields;
  }
}

/** Error that names the missing fields. */
export function missingFieldError(missing: readonly MissingField[]): CheckoutEndedError {
  return new MissingFieldsError(missing);
}
