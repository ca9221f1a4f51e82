/** Values for the buyer's form fields, by purpose. */

import type { PurchaseJob, ReleasedCard } from "../../checkout/worker-protocol/job.ts";
import { CheckoutEndedError } from "./ending.ts";
import type { Purpose } from "./field-words.ts";
import { splitStreetLine } from "./house-number.ts";
import { phoneForms } from "./phone-forms.ts";

export type Address = ReleasedCard["billingAddress"];
export type Values = Readonly<Partial<Record<Purpose, string>>> & {
  /** First line of the address without the house number, for forms with a separate field for it. */
  readonly street?: string;
};

/** Returns the recipient's values. Email and telephone are the cardholder's unless the address has its own. */
export function deliveryValues({ contact, deliverTo }: PurchaseJob): Values {
  if (!contact) throw new CheckoutEndedError("worker_crashed", "The cardholder's details are missing");
  const { firstName, lastName, email, phone } = contact;
  const contactValues = withoutEmpty({
    email,
    phone,
    phone_country: phone ? phoneForms(phone, undefined).prefix : null,
    first_name: firstName,
    last_name: lastName,
    full_name: `${firstName} ${lastName}`,
  });
  return deliverTo ? { ...contactValues, ...addressValues(deliverTo) } : contactValues;
}

export function addressValues(address: Address): Values {
  const parts = splitStreetLine(address.address1, address.countryCode);
  return withoutEmpty({
    street: parts?.street ?? null,
    house_number: parts?.houseNumber ?? null,
    house_number_suffix: parts?.suffix ?? null,
    phone_country: address.phone ? phoneForms(address.phone, address.countryCode).prefix : null,
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

function withoutEmpty(values: Partial<Record<Purpose | "street", string | null>>): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ""));
}
