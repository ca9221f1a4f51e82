import type { Profile } from "../gate/profile.ts";

export const paypal: Profile = {
  name: "PayPal card fields",
  source: "https://github.com/paypal/paypal-smart-payment-buttons/tree/main/src",
  permits: [
    { as: "tracker", host: "www.paypal.com", path: "/xoplatform/logger/api/logger" },
    { as: "three_d_secure", host: "*.cardinalcommerce.com" },
  ],
};
