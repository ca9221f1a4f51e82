import type { Profile } from "../gate/profile.ts";

export const adyen: Profile = {
  name: "Adyen",
  source: "https://github.com/Adyen/adyen-web/tree/main/packages/lib/src",
  permits: [
    { as: "tracker", host: "*.adyen.com", path: "/checkoutanalytics/v3/analytics" },
    { as: "tracker", host: "*.adyen.com", path: "/checkoutanalytics/v3/analytics/*" },
    { as: "poll", host: "*.adyen.com", path: "/checkoutshopper/services/PaymentInitiation/v1/status" },
    { as: "poll", host: "*.adyen.com", path: "/checkoutshopper/v3/bin/binLookup" },
    { as: "three_d_secure", host: "*.adyen.com", path: "/checkoutshopper/v1/submitThreeDS2Fingerprint" },
  ],
};
