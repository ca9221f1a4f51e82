/** A sample of the gallery: a checkout for each way of entering a card, and a fault. */
import { expect, it, vi } from "vitest";
import { compareResults, readExpectations } from "./gallery/expectations.ts";
import { listCases, runCases } from "./gallery/run.ts";

vi.setConfig({ testTimeout: 240_000 });

const SAMPLE = [
  "plain-one-page",
  "stripe-split-elements",
  "adyen-client-side-encryption",
  "bigcommerce-accordion",
  "plain-five-steps address out-of-stock",
];

it("has the recorded result at a sample of checkouts", async () => {
  const cases = (await listCases()).filter(({ name }) => SAMPLE.includes(name));
  expect(cases).toHaveLength(SAMPLE.length);
  const results = await runCases(cases);
  expect(results).toHaveLength(SAMPLE.length);
  expect(compareResults(readExpectations(), results)).toEqual([]);
});
