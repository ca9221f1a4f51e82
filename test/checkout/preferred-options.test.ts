import { expect, it } from "vitest";
import type { FulfillmentOption } from "../../src/checkout/quote/fulfillment.ts";
import { rankByPreference } from "../../src/checkout/quote/preferred-options.ts";

const createOption = (
  title: string,
  amountMinor: number,
  type: FulfillmentOption["type"] = "shipping",
): FulfillmentOption => ({
  ...{ id: `fo_${title}`, type, title, description: null, amountMinor, currency: "GBP", location: null, picks: [] },
});
const options = [
  createOption("Standard", 395),
  createOption("Next day", 795),
  createOption("Harbour Leith", 0, "pickup"),
  createOption("Harbour Glasgow", 0, "pickup"),
];

it.each([
  ["collect in Glasgow", ["Harbour Glasgow", "Harbour Leith"]],
  ["click and collect", ["Harbour Leith", "Harbour Glasgow"]],
  ["as fast as possible", ["Next day"]],
  ["delivered to my home", ["Standard", "Next day"]],
  ["cheapest delivery", ["Standard"]],
  ["no preference", ["Standard", "Next day", "Harbour Leith", "Harbour Glasgow"]],
  ["", ["Standard", "Next day", "Harbour Leith", "Harbour Glasgow"]],
])("lists the options that match %j first", (preference, first) => {
  const ranked = rankByPreference(options, preference);
  expect(ranked.slice(0, first.length).map(({ title }) => title)).toEqual(first);
  expect(ranked.toSorted()).toHaveLength(options.length);
});
