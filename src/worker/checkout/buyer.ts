/** Values for the buyer's form fields, by purpose. */

import type { PurchaseJob, ReleasedCard } from "../../checkout/worker-protocol/job.ts";
import type { FieldPurpose } from "../../checkout/worker-protocol/recipe.ts";
import { CheckoutEndedError } from "./ending.ts";

export type Address = ReleasedCard["billingAddress"];
export type Values = Readonly<Partial<Record<FieldPurpose, string>>>;

/** Returns the recipient's values. Email and telephone are the cardholder's unless the address has its own. */
export function deliveryValues({ contact, deliverTo }: PurchaseJob): Values {
  if (!contact) throw new CheckoutEndedError("worker_crashed", "The cardholder's details are missing");
  const { firstName, lastName, email, phone } = contact;
  const contactValues = withoutEmpty({
    email,
    phone,
    first_name: firstName,
    last_name: lastName,
    full_name: `${firstName} ${lastName}`,
  });
  return deliverTo ? { ...contactValues, ...addressValues(deliverTo) } : contactValues;
}

export function addressValues(address: Address): Values {
  return withoutEmpty({
    first_name: address.firstName,
    last_name: address.lastName,
    full_name: `${address.firstName} ${address.lastName}`,
    company: address.company,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    province: address.provinceCode,
    postal_code: address.postalCode,
    country: address.countryCode,
    phone: address.phone,
  });
}

function withoutEmpty(values: Partial<Record<FieldPurpose, string | null>>): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ""));
}
