import type { Profile } from "../gate/profile.ts";

export const braintree: Profile = {
  name: "Braintree",
  source: "https://github.com/braintree/braintree-web/tree/main/src/three-d-secure",
  permits: [
    { as: "tracker", host: "client-analytics.braintreegateway.com" },
    {
      as: "three_d_secure",
      host: "api.braintreegateway.com",
      path: "/merchants/*/client_api/v1/payment_methods/*/three_d_secure/lookup",
    },
    {
      as: "three_d_secure",
      host: "api.braintreegateway.com",
      path: "/merchants/*/client_api/v1/payment_methods/*/three_d_secure/authenticate_from_jwt",
    },
    { as: "three_d_secure", host: "*.cardinalcommerce.com" },
  ],
};
