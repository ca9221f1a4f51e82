import type { Address, AddressField } from "../address.ts";
import { addressErrors } from "../address.ts";
import { ADDRESS_RULES } from "../countries.ts";
import type { Store } from "../definition.ts";
import { needsDelivery } from "../delivery.ts";
import type { Checkout } from "./checkouts.ts";

export type FieldId = "email" | AddressField | "fulfilment" | "option";
export type Form = Record<string, unknown>;

/** An address field. `autocomplete` contains its autofill tokens (WHATWG HTML). */
export interface FormField {
  id: AddressField;
  label: string;
  name: string;
  autocomplete: string;
}

export const ADDRESS_FIELDS: FormField[] = [
  { id: "countryCode", label: "Country", name: "countryCode", autocomplete: "shipping country" },
  { id: "firstName", label: "First name", name: "firstName", autocomplete: "shipping given-name" },
  { id: "lastName", label: "Last name", name: "lastName", autocomplete: "shipping family-name" },
  { id: "company", label: "Company (optional)", name: "company", autocomplete: "shipping organization" },
  { id: "address1", label: "Address", name: "address1", autocomplete: "shipping address-line1" },
  {
    id: "address2",
    label: "Flat, floor, building (optional)",
    name: "address2",
    autocomplete: "shipping address-line2",
  },
  { id: "city", label: "City", name: "city", autocomplete: "shipping address-level2" },
  { id: "provinceCode", label: "State or province (code)", name: "zone", autocomplete: "shipping address-level1" },
  { id: "zip", label: "Postal code", name: "postalCode", autocomplete: "shipping postal-code" },
  { id: "phone", label: "Telephone (optional)", name: "phone", autocomplete: "shipping tel" },
];

/** Returns the field's `name` attribute. Stores with `unmarked` fields use generic names, such as `a1`. */
export function fieldName({ checkout }: Store, id: FieldId): string {
  if (id === "fulfilment" || id === "option") return id;
  const index = ADDRESS_FIELDS.findIndex((field) => field.id === id);
  if (checkout.card === "unmarked") return `a${index + 1}`;
  return ADDRESS_FIELDS[index]?.name ?? id;
}

/** Returns the address fields of the form. They depend on the delivery method and the store's destination countries. */
export function requestedFields(store: Store, { cart }: Checkout): FormField[] {
  if (cart.methods.includes("PICK_UP"))
    return ADDRESS_FIELDS.filter(({ id }) => id === "firstName" || id === "lastName");
  const rules = store.shipsTo.map((country) => ADDRESS_RULES[country]);
  return ADDRESS_FIELDS.filter(({ id }) => {
    if (id === "provinceCode") return rules.some((rule) => rule?.provinces);
    return id === "zip" ? rules.some((rule) => rule?.zip) : true;
  });
}

/** Returns the checkout with the submitted values. Values of absent fields remain unchanged. */
export function withForm(store: Store, checkout: Checkout, form: Form): Checkout {
  const text = (id: FieldId) => {
    const value = form[fieldName(store, id)];
    return typeof value === "string" ? value.trim() : undefined;
  };
  const { cart } = checkout;
  const address: Address = { ...cart.address };
  for (const { id } of ADDRESS_FIELDS) {
    const value = text(id);
    if (value !== undefined) address[id] = id === "countryCode" && !store.shipsTo.includes(value) ? null : value;
  }
  const fulfilment = text("fulfilment");
  const known = cart.address?.countryCode ?? cart.countryCode;
  // The cart's country determines its prices, so it changes only with the destination country.
  const country = address.countryCode && address.countryCode !== known ? address.countryCode : cart.countryCode;
  return {
    ...checkout,
    cart: {
      ...cart,
      email: text("email") ?? cart.email,
      address: Object.keys(address).length > 0 ? address : null,
      countryCode: country,
      methods:
        fulfilment === "ship" && store.rates.length > 0
          ? ["SHIPPING"]
          : fulfilment === "pickup" && store.pickups.length > 0
            ? ["PICK_UP"]
            : cart.methods,
      selectedHandle: text("option") ?? cart.selectedHandle,
    },
  };
}

/** Returns the validation errors of the email address and the delivery address, by field. */
export function contactErrors(store: Store, { cart }: Checkout): Partial<Record<FieldId, string>> {
  const errors: Partial<Record<FieldId, string>> = {};
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cart.email ?? "")) errors.email = "Enter your email address";
  if (!needsDelivery(store, cart)) return errors;
  if (cart.methods.includes("PICK_UP")) {
    if (!cart.address?.firstName) errors.firstName = "First name is required";
    if (!cart.address?.lastName) errors.lastName = "Last name is required";
    return errors;
  }
  for (const { field, message } of addressErrors(cart.address ?? {})) errors[field] ??= message;
  if (cart.faults.includes("address_rejected")) errors.address1 = "We cannot deliver to this address";
  return errors;
}
