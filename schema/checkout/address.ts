import type { ShipTo } from "../../src/checkout/quote/ship-to.ts";
import { builder } from "../builder.ts";

/** Defines an object type for a full postal address. */
export const addressType = (name: string, description: string) =>
  builder.objectRef<ShipTo>(name).implement({
    description,
    fields: (t) => ({
      firstName: t.exposeString("firstName", { description: "First name." }),
      lastName: t.exposeString("lastName", { description: "Last name." }),
      company: t.exposeString("company", { nullable: true, description: "Company." }),
      address1: t.exposeString("address1", { description: "Street and number." }),
      address2: t.exposeString("address2", { nullable: true, description: "Apartment or floor." }),
      city: t.exposeString("city", { description: "City." }),
      provinceCode: t.exposeString("provinceCode", { nullable: true, description: "Province or state code." }),
      postalCode: t.exposeString("postalCode", { description: "Postal code." }),
      countryCode: t.expose("countryCode", { type: "CountryCode", description: "Country." }),
      phone: t.exposeString("phone", { nullable: true, description: "Phone number." }),
    }),
  });
