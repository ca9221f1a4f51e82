/** Amounts in arguments and inputs use scalars that reject fractions of the smallest unit and name the field. */
import {
  coerceInputValue,
  type GraphQLInputField,
  type GraphQLScalarType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  parseValue,
} from "graphql";
import { describe, expect, it } from "vitest";
import { buildSchema } from "../../schema/schema.ts";
import { InvalidValue } from "../../src/platform/graphql/invalid-value.ts";

const schema = buildSchema();

/** A valid value of each scalar, and values with a fraction of the smallest unit. */
const AMOUNTS: Readonly<Record<string, { readonly whole: unknown; readonly fractions: readonly unknown[] }>> = {
  Usd: { whole: "0.000001", fractions: ["0.0000001", "5.1234567", "1e-7", 0.25] },
  AtomicAmount: { whole: "1", fractions: ["0.5", "1.0", "1e3", 1.5] },
  MinorAmount: { whole: 1, fractions: [12.5, 0.1, "12.5", "12"] },
};
/** Fields that are not money, and token amounts, whose decimal places depend on the token. */
const OTHERS = [
  "CompleteChatInput.maxTokens: Int",
  "CompleteChatInput.temperature: Float",
  "HttpHeaderInput.value: String",
  "Query.productSearch(limit): Int",
  "Query.tradeQuote(buyAmount): Decimal",
  "Query.tradeQuote(sellAmount): Decimal",
  "Query.tradeQuote(slippagePercentage): Float",
  "SendTokensInput.amount: Decimal",
  "TradeInput.buyAmount: Decimal",
  "TradeInput.maxSellAmount: Decimal",
  "TradeInput.minBuyAmount: Decimal",
  "TradeInput.sellAmount: Decimal",
  "TradeInput.slippagePercentage: Float",
];

const fields = Object.values(schema.getTypeMap())
  .filter(isInputObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
const amounts = fields.filter(({ field }) => getNamedType(field.type).name in AMOUNTS);
const formatPath = ({ type, field }: (typeof fields)[number]) => `${type.name}.${field.name}`;
const inputs = [
  ...fields.map((input) => ({ path: formatPath(input), ...toNamedType(input.field) })),
  ...Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, field })))
    .flatMap(({ at, field }) => field.args.map((arg) => ({ path: `${at}(${arg.name})`, ...toNamedType(arg) }))),
];

describe.each(Object.entries(AMOUNTS))("%s", (name, { whole, fractions }) => {
  const scalar = schema.getType(name);
  if (!isScalarType(scalar)) throw new Error(`The scalar ${name} is missing.`);

  it.each(fractions)("rejects %j, as a variable and as a literal", (fraction) => {
    expect(readBoth(scalar, whole)).toEqual(["accepted", "accepted"]);
    expect(readBoth(scalar, fraction)).toEqual(["rejected", "rejected"]);
  });
});

it.each(amounts.map((amount) => [formatPath(amount), amount] as const))(
  "%s rejects a fraction and names the field",
  (_path, amount) => {
    const { whole, fractions } = AMOUNTS[getNamedType(amount.field.type).name] ?? { whole: null, fractions: [] };
    expect(findProblems(amount, whole)).toEqual([]);
    for (const fraction of fractions)
      expect(findProblems(amount, fraction), String(fraction)).toEqual([amount.field.name]);
  },
);

it("every input named like an amount has one of these scalars and not Float", () => {
  const isAmount = (name: string) => /amount|limit|max|minor|usd|value|cap/i.test(name);
  const others = inputs.filter(({ name, type }) => (isAmount(name) && !(type in AMOUNTS)) || type === "Float");
  expect(others.map(({ path, type }) => `${path}: ${type}`).toSorted()).toEqual(OTHERS);
});

function toNamedType({ name, type }: Pick<GraphQLInputField, "name" | "type">) {
  return { name, type: getNamedType(type).name };
}

function readBoth(scalar: GraphQLScalarType, value: unknown): readonly ("accepted" | "rejected")[] {
  const readers = [() => scalar.parseValue(value), () => scalar.parseLiteral(parseValue(JSON.stringify(value)))];
  return readers.map((read) => {
    try {
      return read() instanceof InvalidValue ? "rejected" : "accepted";
    } catch {
      return "rejected";
    }
  });
}

/** Returns the path of the field if its value is rejected. Missing fields of the input are ignored. */
function findProblems(
  { type, field }: { type: (typeof fields)[number]["type"]; field: GraphQLInputField },
  value: unknown,
) {
  const problems: string[] = [];
  coerceInputValue({ [field.name]: value }, type, (path) => {
    if (path.length > 0) problems.push(path.join("."));
  });
  return problems;
}
