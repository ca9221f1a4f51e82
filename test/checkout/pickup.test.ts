import { describe, expect, it } from "vitest";
import type { FulfillmentOption } from "../../src/checkout/quote/fulfillment.ts";
import { resolvePickup } from "../../src/checkout/quote/pickup.ts";

const PLACES: readonly (readonly [id: string, name: string, address: string])[] = [
  ["leith-shore", "Harbour Leith Shore", "12 Shore, Edinburgh EH6 6QN"],
  ["leith-walk", "Harbour Leith Walk", "201 Leith Walk, Edinburgh EH6 8NX"],
  ["glasgow", "Harbour Glasgow", "40 Candleriggs, Glasgow G1 1LE"],
  ["change", "Harbour One New Change", "1 New Change, London EC4M 9AF"],
];
const options = PLACES.map(
  ([id, name, address]): FulfillmentOption => ({
    ...{ id: `fo_${id}`, type: "pickup", title: name, description: address, amountMinor: 0, currency: "GBP" },
    ...{ location: { id, name, address }, picks: [] },
  }),
);
const resolve = (name: string) => {
  const { resolution, option } = resolvePickup({ name, locationId: null }, options);
  return [resolution.status, option?.location?.id ?? resolution.candidates.map(({ id }) => id)];
};

describe("a store in the user's words", () => {
  it.each([
    ["the glasgow one", "glasgow"],
    ["The one in Glasgow, please", "glasgow"],
    ["your Glasgow branch", "glasgow"],
    ["le magasin de Glasgow", "glasgow"],
    ["die Filiale in Glasgow", "glasgow"],
    ["Candleriggs", "glasgow"],
    ["leith shore", "leith-shore"],
    ["One New Change", "change"],
    ["the one at New Change", "change"],
  ])("%j is found", (name, id) => {
    expect(resolve(name)).toEqual(["resolved", id]);
  });

  it("is ambiguous if several stores match", () => {
    expect(resolve("the Leith one")).toEqual(["ambiguous", ["leith-shore", "leith-walk"]]);
  });

  it.each(["Glasgow Airport", "the Aberdeen one", "the shop", "", "Glasgow Leith"])("%j is not found", (name) => {
    expect(resolve(name)).toEqual(["not_found", PLACES.map(([id]) => id)]);
  });
});
