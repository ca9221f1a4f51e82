import type { ShipTo } from "../../src/checkout/quote/ship-to.ts";
import { builder } from "../builder.ts";

/** A whole postal address, under the name of what it is for. */
export const addressType = (name: string, description: string) =>
  builder.objectRef<ShipTo>(name).implement({
    description,
    fields: (t) => ({
      firstName: t.exposeString("firstName", { description: "First name." }),
      lastName: t.exposeString("lastName", { description: "Last name." }),
      company: t.exposeString("company", { nullable: true, description: "Company." }),
      address1: t.exposeString("address1", { description: "Street and number." }),
      address2: t.exposeString("address2", { nullable: true, description: "Apartment, floor." }),
      city: t.exposeString("city", { description: "City." }),
      provinceCode: t.exposeString("provinceCode", { nullable: true, description: "Province's or state's code." }),
      postalCode: t.exposeString("postalCode", { description: "Postal code." }),
      countryCode: t.exposeString("countryCode", { description: "Country (ISO 3166)." }),
      phone: t.exposeString("phone", { nullable: true, description: "Telephone." }),
    }),
  });
