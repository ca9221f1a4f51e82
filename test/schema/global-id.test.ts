/** Ids as clients give them: of the right type or refused by the field's name, never looked up as another's. */
import { isObjectType } from "graphql";
import { expect, it } from "vitest";
import { idOf, readGlobalId, readOwnId } from "../../schema/global-id.ts";
import { buildSchema } from "../../schema/schema.ts";
import { InvalidRequestError } from "../../src/platform/errors.ts";

const globalId = (typename: string, id: string) => Buffer.from(`${typename}:${id}`).toString("base64");
const refused = (read: () => unknown) => {
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
  for (const { name } of nodes) expect(readGlobalId(globalId(name, "x_1"))).toEqual({ typename: name, id: "x_1" });
});

it.each(["", "CheckoutOrder:ord_1", globalId("Nobody", "x_1"), globalId("toString", "x_1"), globalId("Trade", "a b")])(
  "takes %j for no id at all",
  (given) => {
    expect(refused(() => readGlobalId(given))).toEqual({
      message: "id is not a global id of this service.",
      field: "id",
    });
    const read = () => readOwnId("CheckoutOrder", given, "orderId");
    expect(refused(read)).toEqual({ message: "orderId is not the id of an order.", field: "orderId" });
  },
);

it("takes an id for what it is of, and for nothing else", () => {
  const order = globalId("CheckoutOrder", "ord_1");
  expect(idOf("CheckoutOrder", readGlobalId(order))).toBe("ord_1");
  expect(readOwnId("CheckoutOrder", order)).toBe("ord_1");
  expect(readOwnId("CheckoutOrder", "ord_1")).toBe("ord_1");
  const wrong = { message: "id is not the id of an approval.", field: "id" };
  expect(refused(() => idOf("PurchaseApproval", readGlobalId(order)))).toEqual(wrong);
  expect(refused(() => readOwnId("PurchaseApproval", order))).toEqual(wrong);
  expect(refused(() => readOwnId("PurchaseApproval", "ord_1"))).toEqual(wrong);
  expect(refused(() => readOwnId("PurchaseApproval", "apr_\0"))).toEqual(wrong);
});
