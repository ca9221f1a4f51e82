/** A sample of the gallery: one checkout for each way of entering a card, and a fault before and after the payment. */
import { expect, it, vi } from "vitest";
import { compareResults, readExpectations } from "./gallery/expectations.ts";
import { listCases, runCases } from "./gallery/run.ts";

vi.setConfig({ testTimeout: 240_000 });

const SAMPLE = [
  "plain-one-page",
  "woocommerce-blocks",
  "stripe-split-elements",
  "canadian-province-names",
  "plain-five-steps address out-of-stock",
];

it("has the recorded result at a sample of checkouts", async () => {
  const cases = (await listCases()).filter(({ name }) => SAMPLE.includes(name));
  expect(cases).toHaveLength(SAMPLE.length);
  const results = await runCases(cases);
  expect(results).toHaveLength(SAMPLE.length);
  expect(compareResults(readExpectations(), results)).toEqual([]);
});
