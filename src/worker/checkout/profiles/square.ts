import type { Profile } from "../gate/profile.ts";

export const square: Profile = {
  name: "Square",
  source: "https://developer.squareup.com/docs/build-basics/common-api-patterns/idempotency",
  // `verifyBuyer`: https://developer.squareup.com/docs/sca-overview
  permits: [
    { as: "three_d_secure", host: "pci-connect.squareup.com", path: "/v2/analytics/verifications" },
    { as: "three_d_secure", host: "connect.squareup.com", path: "/v2/analytics/verifications" },
  ],
  idempotency: ["idempotencyKey", "idempotency_key"],
};
