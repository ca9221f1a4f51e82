/** Alerts after a bank's challenge. */
import { expect, it } from "vitest";
import { isNotConfirmed } from "../../src/worker/checkout/await-outcome.ts";

it.each([
  "Your bank did not confirm the payment.",
  "3-D Secure authentication failed.",
  "We could not verify your card. Do not close this window.",
  "The payment was cancelled at your bank.",
])("states that the payment was not confirmed: %s", (alert) => {
  expect(isNotConfirmed(alert)).toBe(true);
});

it.each([
  "Authentication complete. Please do not close or refresh this page.",
  "Your bank confirmed the payment – don’t press the back button!",
  "Verifying your payment, do not reload",
])("states no outcome: %s", (alert) => {
  expect(isNotConfirmed(alert)).toBe(false);
});
