/** Amounts in arguments and inputs have scalars that refuse fractions of the smallest unit, and say where they stand. */
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

const schema = buildSchema();

/** A value of each scalar, and the same with a fraction of the smallest unit. */
const AMOUNTS: Readonly<Record<string, { readonly whole: unknown; readonly fractions: readonly unknown[] }>> = {
  Usd: { whole: "0.000001", fractions: ["0.0000001", "5.1234567", "1e-7", 0.25] },
  AtomicAmount: { whole: "1", fractions: ["0.5", "1.0", "1e3", 1.5] },
  MinorAmount: { whole: 1, fractions: [12.5, 0.1, "12.5", "12"] },
};
/** Decimals of a token, which are read by its own number of places, and what is no money. */
const OTHERS = [
  "CompleteChatInput.maxTokens: Int",
  "CompleteChatInput.temperature: Float",
  "HttpHeaderInput.value: String",
  "Query.productSearch(limit): Int",
  "Query.tradeQuote(sellAmount): String",
  "Query.tradeQuote(slippagePercentage): Float",
  "SendTokensInput.amount: String",
  "TradeInput.sellAmount: String",
  "TradeInput.slippagePercentage: Float",
];

const fields = Object.values(schema.getTypeMap())
  .filter(isInputObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
const amounts = fields.filter(({ field }) => getNamedType(field.type).name in AMOUNTS);
const pathOf = ({ type, field }: (typeof fields)[number]) => `${type.name}.${field.name}`;
const inputs = [
  ...fields.map((input) => ({ path: pathOf(input), ...named(input.field) })),
  ...Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ at: `${type.name}.${field.name}`, field })))
    .flatMap(({ at, field }) => field.args.map((arg) => ({ path: `${at}(${arg.name})`, ...named(arg) }))),
];

describe.each(Object.entries(AMOUNTS))("%s", (name, { whole, fractions }) => {
  const scalar = schema.getType(name);
  if (!isScalarType(scalar)) throw new Error(`There is no scalar ${name}.`);

  it.each(fractions)("refuses %j, as a variable and as a literal", (fraction) => {
    expect(readBoth(scalar, whole)).toEqual(["read", "read"]);
    expect(readBoth(scalar, fraction)).toEqual(["refused", "refused"]);
  });
});

it.each(amounts.map((amount) => [pathOf(amount), amount] as const))(
  "%s refuses a fraction by its name",
  (_path, amount) => {
    const { whole, fractions } = AMOUNTS[getNamedType(amount.field.type).name] ?? { whole: null, fractions: [] };
    expect(problemsOf(amount, whole)).toEqual([]);
    for (const fraction of fractions)
      expect(problemsOf(amount, fraction), String(fraction)).toEqual([amount.field.name]);
  },
);

it("whatever is named like an amount has one of these scalars, and no Float rounds it", () => {
  const isAmount = (name: string) => /amount|limit|max|minor|usd|value|cap/i.test(name);
  const others = inputs.filter(({ name, type }) => (isAmount(name) && !(type in AMOUNTS)) || type === "Float");
  expect(others.map(({ path, type }) => `${path}: ${type}`).toSorted()).toEqual(OTHERS);
});

function named({ name, type }: Pick<GraphQLInputField, "name" | "type">) {
  return { name, type: getNamedType(type).name };
}

function readBoth(scalar: GraphQLScalarType, value: unknown): readonly ("read" | "refused")[] {
  const ways = [() => scalar.parseValue(value), () => scalar.parseLiteral(parseValue(JSON.stringify(value)))];
  return ways.map((read) => {
    try {
      read();
      return "read";
    } catch {
      return "refused";
    }
  });
}

/** The field, if its value is not accepted; whatever else the input lacks is left out. */
function problemsOf(
  { type, field }: { type: (typeof fields)[number]["type"]; field: GraphQLInputField },
  value: unknown,
) {
  const problems: string[] = [];
  coerceInputValue({ [field.name]: value }, type, (path) => {
    if (path.length > 0) problems.push(path.join("."));
  });
  return problems;
}
