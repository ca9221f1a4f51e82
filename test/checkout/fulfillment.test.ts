import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toFulfillmentOptions } from "../../src/checkout/quote/fulfillment.ts";
import type { DeliveryGroup } from "../../src/checkout/storefront/cart.ts";

type Rate = readonly [title: string, amountMinor: number, more?: Partial<DeliveryGroup["deliveryOptions"][number]>];

const createGroup = (id: string, ...rates: Rate[]): DeliveryGroup => ({
  id,
  deliveryOptions: rates.map(([title, amountMinor, more], at) => ({
    ...{ handle: `${id}-${at}`, title, code: title, deliveryMethodType: "SHIPPING" },
    estimatedCost: { amountMinor, currency: "GBP" },
    ...more,
  })),
});
const PICK_UP = { deliveryMethodType: "PICK_UP" };
const describeOptions = (...groups: DeliveryGroup[]) =>
  toFulfillmentOptions(groups).map(({ title, amountMinor, type }) => `${title} ${amountMinor} ${type}`);

describe("fulfilment options of a cart", () => {
  it("that ships as one have stable ids", () => {
    const [standard] = toFulfillmentOptions([createGroup("a", ["Standard", 395])]);
    expect(standard).toMatchObject({ id: "fo_cHmCYXheQqLtBhtVT_Lo4s", picks: [{ groupId: "a", handle: "a-0" }] });
  });

  it("are one for each service of all groups, at the sum of its prices", () => {
    const groups = [
      createGroup("a", ["Standard", 395], ["Next day", 795]),
      createGroup("b", ["Next day", 995], ["Standard", 295]),
    ];
    expect(describeOptions(...groups)).toEqual(["Standard 690 shipping", "Next day 1790 shipping"]);
    const [standard] = toFulfillmentOptions(groups);
    expect(standard?.picks.map(({ handle }) => handle)).toEqual(["a-0", "b-1"]);
  });

  it("are a single one if each group has one", () => {
    expect(describeOptions(createGroup("a", ["Standard", 395]), createGroup("b", ["Freight", 4_000]))).toEqual([
      "Standard + Freight 4395 shipping",
    ]);
  });

  it("combine a service with the cheapest of a group that lacks it", () => {
    const groups = [createGroup("a", ["Standard", 395], ["Next day", 795]), createGroup("b", ["Freight", 4_000])];
    expect(describeOptions(...groups)).toEqual([
      "Standard + Freight 4395 shipping",
      "Next day + Freight 4795 shipping",
    ]);
  });

  it("are delivered unless all groups are collected at the same place", () => {
    const collected = createGroup("a", ["Leith", 0, PICK_UP]);
    expect(describeOptions(collected, createGroup("b", ["Freight", 4_000]))).toEqual(["Leith + Freight 4000 shipping"]);
    const [both] = toFulfillmentOptions([collected, createGroup("b", ["Leith", 0, PICK_UP])]);
    expect(both).toMatchObject({ type: "pickup", title: "Leith", location: { id: "Leith" } });
    const [apart] = toFulfillmentOptions([collected, createGroup("b", ["Glasgow", 0, PICK_UP])]);
    expect(apart).toMatchObject({ title: "Leith + Glasgow", location: null });
  });

  it("are none if a group has none", () => {
    expect(describeOptions(createGroup("a", ["Standard", 395]), createGroup("b"))).toEqual([]);
    expect(describeOptions()).toEqual([]);
  });

  it("include places that only their address distinguishes", () => {
    const place = (description: string) =>
      ["Locker", 0, { deliveryMethodType: "PICKUP_POINT", code: null, description }] as const;
    expect(describeOptions(createGroup("a", place("1 High Street"), place("9 Low Road")))).toHaveLength(2);
  });

  it("have distinct ids that do not depend on the order of groups, and offer every rate", () => {
    const rate = fc.tuple(
      fc.constantFrom("Standard", "Next day", "Freight", "Courier"),
      fc.integer({ min: 0, max: 3 }),
    );
    const rates = fc.array(rate, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(rates, { minLength: 1, maxLength: 4 }), (groupRates) => {
        const groups = groupRates.map((one, at) => createGroup(`g${at}`, ...one));
        const options = toFulfillmentOptions(groups);
        const ids = options.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(
          toFulfillmentOptions(groups.toReversed())
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(ids.toSorted());
        for (const { picks, amountMinor } of options) {
          expect(picks.map(({ groupId }) => groupId)).toEqual(groups.map(({ id }) => id));
          expect(amountMinor).toBe(picks.reduce((sum, pick) => sum + pick.amountMinor, 0));
        }
        if (groupRates.every((one) => one.length === 1)) expect(options).toHaveLength(1);
      }),
    );
  });
});
