/** Ids in client input: an id of another type is rejected with the field's name. */
import { isObjectType } from "graphql";
import { expect, it } from "vitest";
import { extractId, findOwnId, idOf, readGlobalId, toGlobalId } from "../../schema/global-id.ts";
import { buildSchema } from "../../schema/schema.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";

const encodeGlobalId = (typename: string, id: string) => toGlobalId(typename as "Trade", id);
const readError = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidRequestError) return { message: error.message, field: error.field };
    throw error;
  }
  return null;
};

it("reads the global id of every type that is a Node", () => {
  const nodes = Object.values(buildSchema().getTypeMap()).filter(
    (type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === "Node"),
  );
  expect(nodes.length).toBeGreaterThan(20);
  for (const { name } of nodes)
    expect(readGlobalId(encodeGlobalId(name, "x_1"))).toEqual({ typename: name, id: "x_1" });
});

it.each([
  "",
  "CheckoutOrder:ord_1",
  encodeGlobalId("Nobody", "x_1"),
  encodeGlobalId("toString", "x_1"),
  encodeGlobalId("Trade", "a b"),
])("rejects %j as an id", (given) => {
  expect(readError(() => readGlobalId(given))).toEqual({
    message: "id is not a global id of this service.",
    field: "id",
  });
  expect(idOf("CheckoutOrder").safeParse(given).error?.issues).toMatchObject([
    { message: "is not the id of an order" },
  ]);
});

it("accepts an id only for its own type", () => {
  const order = encodeGlobalId("CheckoutOrder", "ord_1");
  expect(extractId("CheckoutOrder", readGlobalId(order))).toBe("ord_1");
  expect(idOf("CheckoutOrder").parse(order)).toBe("ord_1");
  expect(idOf("CheckoutOrder").parse("ord_1")).toBe("ord_1");
  const wrong = { message: "id is not the id of an approval.", field: "id" };
  expect(readError(() => extractId("PurchaseApproval", readGlobalId(order)))).toEqual(wrong);
  for (const given of [order, "ord_1", "apr_\0"]) expect(findOwnId("PurchaseApproval", given)).toBeNull();
});
