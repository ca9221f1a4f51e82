/** Addresses of the gallery's buyers, by market. */
import type { MarketName } from "../../../sandbox/store/gallery/markets.ts";

const ADA = { firstName: "Ada", lastName: "Lovelace" };
export const HOMES = {
  GB: {
    ...ADA,
    ...{ address1: "12 St James's Square", city: "London", postalCode: "SW1Y 4JH", countryCode: "GB" },
    phone: "+44 20 7946 0958",
  },
  US: {
    ...ADA,
    ...{ address1: "1 Market Street", city: "San Francisco", provinceCode: "CA", postalCode: "94105" },
    ...{ countryCode: "US", phone: "+1 415 555 0132" },
  },
  DE: {
    ...ADA,
    ...{ address1: "Am Markt 12", city: "Berlin", postalCode: "10115", countryCode: "DE", phone: "+49 30 901820" },
  },
  CA: {
    ...ADA,
    ...{ address1: "290 Bremner Boulevard", city: "Toronto", provinceCode: "ON", postalCode: "M5V 3L9" },
    ...{ countryCode: "CA", phone: "+1 416 555 0123" },
  },
  AU: {
    ...ADA,
    ...{ address1: "2 Swan Street", city: "Richmond", provinceCode: "VIC", postalCode: "3121", countryCode: "AU" },
    phone: "+61 3 9000 0000",
  },
  FR: {
    ...ADA,
    ...{
      address1: "5 Rue de Rivoli",
      city: "Paris",
      postalCode: "75004",
      countryCode: "FR",
      phone: "+33 1 40 20 50 50",
    },
  },
} as const satisfies Record<MarketName, object>;
