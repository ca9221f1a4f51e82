import type { Profile } from "../gate/profile.ts";

export const magento: Profile = {
  name: "Magento",
  source: "https://developer.adobe.com/commerce/webapi/rest/tutorials/orders/",
  permits: [
    { as: "poll", path: "/rest/*/V1/guest-carts/*/totals-information" },
    { as: "poll", path: "/rest/*/V1/guest-carts/*/estimate-shipping-methods" },
  ],
};
