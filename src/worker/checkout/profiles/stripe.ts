import type { Profile } from "../gate/profile.ts";

export const stripe: Profile = {
  name: "Stripe Elements and Link",
  // Hosts: https://docs.stripe.com/security/guide#content-security-policy
  source:
    "https://github.com/stripe/stripe-android/blob/master/payments-core/src/main/java/com/stripe/android/networking/StripeApiRepository.kt",
  permits: [
    { as: "tracker", host: "r.stripe.com" },
    { as: "tracker", host: "m.stripe.com" },
    { as: "tracker", host: "q.stripe.com" },
    { as: "three_d_secure", host: "api.stripe.com", path: "/v1/3ds2/authenticate" },
    { as: "three_d_secure", host: "api.stripe.com", path: "/v1/3ds2/challenge_complete" },
    { as: "poll", host: "api.stripe.com", path: "/v1/consumers/sessions/lookup" },
  ],
};
