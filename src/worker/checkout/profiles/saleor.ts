import type { Profile } from "../gate/profile.ts";

export const saleor: Profile = {
  name: "Saleor",
  source: "https://docs.saleor.io/developer/checkout/finalizing",
  // The transaction holds the amount, and the completion turns it into an order.
  permits: [{ as: "completion", operation: "checkoutComplete" }],
};
