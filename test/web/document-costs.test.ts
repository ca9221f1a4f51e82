/** The pages send their operations as any client does, so each reading must be within the complexity limit. */
import { complexityFromQuery } from "@pothos/plugin-complexity";
import { type DocumentNode, Kind, OperationTypeNode } from "graphql";
import { expect, it } from "vitest";
import { MAX_COMPLEXITY } from "../../schema/builder.ts";
import { buildPublicSchema } from "../../schema/schema.ts";
import * as documents from "../../web/generated/graphql.ts";

/** Values of the variables that readings require, with the longest page. */
const VARIABLES = {
  first: 50,
  last: 50,
  count: 50,
  id: "tx_1",
  threadId: "aem_1",
  q: "weather",
  url: "https://shop.example",
  period: "DAY",
  sellToken: "ETH",
  sellAmount: "1",
  statuses: ["APPROVED"],
  registrations: ["DYNAMIC"],
  buyToken: "x",
  ids: "x",
  country: "PT",
};

const schema = buildPublicSchema();

function isReading(value: unknown): value is DocumentNode {
  const [operation] = (value as Partial<DocumentNode>).definitions ?? [];
  return operation?.kind === Kind.OPERATION_DEFINITION && operation.operation !== OperationTypeNode.MUTATION;
}

it("every reading of the pages is within the complexity limit", () => {
  const costs = Object.entries(documents).flatMap(([name, query]) => {
    if (!isReading(query)) return [];
    const { complexity } = complexityFromQuery(query, { schema, variables: VARIABLES, ctx: {} });
    return [{ name, complexity }];
  });
  expect(costs.length).toBeGreaterThan(50);
  expect(costs.filter(({ complexity }) => complexity > MAX_COMPLEXITY)).toEqual([]);
});
