import type { Profile } from "../gate/profile.ts";

export const bigcommerce: Profile = {
  name: "BigCommerce",
  source: "https://github.com/bigcommerce/checkout-sdk-js",
  permits: [{ as: "tracker", host: "*.data.bigcommerce.com" }],
};
