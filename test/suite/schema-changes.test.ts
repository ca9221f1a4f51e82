/** Breaking changes of the GraphQL schema must be named in the changelog. */
import { expect, it } from "vitest";
import { findUnnamedBreakingChanges } from "../../lint/schema-changes.ts";

const RELEASED = `
  directive @limit(max: Int) on FIELD_DEFINITION
  enum State { OPEN CLOSED }
  input Filter { state: State }
  type Order { id: ID! state: State note: String! lines(first: Int): [String!]! }
  type Query { order(id: ID!): Order orders(filter: Filter): [Order!]! }
`;
const changelog = (...names: string[]) =>
  `# Changelog\n\n## Unreleased\n\n- Removed ${names.map((name) => `\`${name}\``).join(" and ")}.\n\n## 0.1.0\n\n- Added \`Order.note\`.\n`;
const find = async (from: string, to: string, ...names: string[]) => {
  expect(RELEASED).toContain(from);
  const changes = await findUnnamedBreakingChanges(RELEASED, RELEASED.replace(from, to), changelog(...names));
  return changes.map((change) => change.replace(/: .*/, ""));
};

it.each([
  ["a removed field", "note: String!", "", "Order.note"],
  ["a field of another type", "note: String!", "note: Int!", "Order.note"],
  ["a field that may be null", "note: String!", "note: String", "Order.note"],
  ["a removed argument", "lines(first: Int)", "lines", "Order.lines(first:)"],
  ["a new required argument", "lines(first: Int)", "lines(first: Int, last: Int!)", "Order.lines(last:)"],
  ["a removed value of an enumeration", "OPEN CLOSED", "OPEN", "State.CLOSED"],
  ["a new required member of an input", "{ state: State }", "{ state: State, since: String! }", "Filter.since"],
  ["a removed argument of a directive", "(max: Int)", "", "@limit(max:)"],
])("reports %s unless its coordinate is named", async (_change, from, to, coordinate) => {
  expect(await find(from, to)).toEqual([coordinate]);
  expect(await find(from, to, coordinate)).toEqual([]);
  expect(await find(from, to, "Order", "State", "lines")).toEqual([coordinate]);
});

it("reports a removed type by its name", async () => {
  const without = RELEASED.replace("input Filter { state: State }", "").replace("(filter: Filter)", "");
  const changes = await findUnnamedBreakingChanges(RELEASED, without, changelog("Query.orders(filter:)"));
  expect(changes).toEqual([expect.stringMatching(/^Filter: /)]);
});

it.each([
  ["a new field", "note: String!", "note: String! total: Int"],
  ["a deprecation", "note: String!", 'note: String! @deprecated(reason: "Use total.")'],
  ["a new optional argument", "(first: Int)", "(first: Int, last: Int)"],
  ["a field that is never null", "state: State note", "state: State! note"],
])("accepts %s", async (_change, from, to) => {
  expect(await find(from, to)).toEqual([]);
});
