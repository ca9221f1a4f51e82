import type { Profile } from "../gate/profile.ts";

export const shopify: Profile = {
  name: "Shopify",
  // Shopify documents no requests of its checkout. Its own scripts name the operation.
  source: "https://github.com/Shopify/hydrogen/blob/main/packages/hydrogen-react/src/analytics.ts",
  permits: [
    { as: "poll", operation: "PollForReceipt" },
    { as: "tracker", path: "/.well-known/shopify/monorail/unstable/produce_batch" },
    { as: "tracker", path: "/.well-known/shopify/monorail/v1/produce" },
    { as: "tracker", host: "*.shopifysvc.com" },
  ],
  idempotency: ["attemptToken"],
};
