import { Kind, type ValueNode } from "graphql";
import { ServiceError } from "../src/platform/errors.ts";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";
import { formatUsd, parseUsd } from "../src/platform/money.ts";
import { findTimestampProblem } from "../src/platform/timestamp.ts";
import { NETWORK_NAMES } from "../src/wallet/networks.ts";
import { builder } from "./builder.ts";

const MAX_URL_LENGTH = 8_192;
const MAX_UINT256 = 2n ** 256n - 1n;

/**
 * Returns the input functions of a scalar. An invalid literal becomes an `InvalidValue`: its field reports it, or the validation
 * of the document.
 * @param parse returns the value; throws an `InvalidValue`
 * @param readLiteral returns the literal as `parse` expects it
 */
export function createInput<Value>(
  parse: (value: unknown) => Value,
  readLiteral: (node: ValueNode) => unknown = (node) => (node.kind === Kind.STRING ? node.value : null),
) {
  return {
    parseValue: (value: unknown): Value => (value instanceof InvalidValue ? (value as never) : parse(value)),
    parseLiteral(node: ValueNode): Value {
      try {
        return parse(readLiteral(node));
      } catch (error) {
        if (error instanceof InvalidValue) return error as never;
        throw error;
      }
    },
  };
}

function requireString(value: unknown, scalar: string): string {
  if (typeof value !== "string") throw new InvalidValue(scalar, "must be a string");
  return value;
}

builder.scalarType("Usd", {
  description:
    'An amount in US dollars as a decimal string with at most six decimals: `"0.25"`, `"5.00"`. Never rounded.',
  serialize: (value) => formatUsd(value),
  ...createInput((value) => {
    const text = requireString(value, "Usd");
    try {
      return parseUsd(text, "The amount");
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new InvalidValue("The amount", error.message.replace(/^The amount |\.$/g, ""));
    }
  }),
});

builder.scalarType("AtomicAmount", {
  description:
    'An amount in the smallest unit of its asset, as an integer string below 2^256: `"250000"` is 0.25 USDC. Never negative.',
  serialize: (value) => value.toString(),
  ...createInput(
    (value) => {
      const digits = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
      if (typeof digits !== "string" || !/^\d{1,78}$/.test(digits)) {
        throw new InvalidValue(
          "AtomicAmount",
          "must be a non-negative integer in the asset's smallest unit, as a string",
        );
      }
      const amount = BigInt(digits);
      if (amount > MAX_UINT256) throw new InvalidValue("AtomicAmount", "must be below 2^256");
      return amount;
    },
    (node) => (node.kind === Kind.STRING || node.kind === Kind.INT ? node.value : null),
  ),
});

builder.scalarType("MinorAmount", {
  description: "An integer amount in the minor unit of the accompanying currency: `1999` is 19.99 GBP, or 1999 JPY.",
  serialize: (value) => value,
  ...createInput(
    (value) => {
      if (!Number.isSafeInteger(value)) throw new InvalidValue("MinorAmount", "must be an integer in minor units");
      // Minus zero is an integer of JSON, and would be written as "-0".
      return (value as number) + 0;
    },
    (node) => (node.kind === Kind.INT ? Number(node.value) : null),
  ),
});

builder.scalarType("DateTime", {
  description:
    "An ISO 8601 timestamp with a UTC offset, which must exist (RFC 3339): `2026-11-20T17:29:16.000Z`. Responses use UTC.",
  serialize: (value) => value.toISOString(),
  ...createInput((value) => {
    const text = requireString(value, "DateTime");
    const problem = findTimestampProblem(text);
    if (problem !== null) throw new InvalidValue("DateTime", problem);
    return new Date(text);
  }),
});

builder.scalarType("Url", {
  description: "An absolute URL (WHATWG). Operations accept HTTP and HTTPS.",
  serialize: (value) => value,
  ...createInput((value) => {
    const address = requireString(value, "Url");
    if (address.length > MAX_URL_LENGTH) {
      throw new InvalidValue("Url", `must have at most ${MAX_URL_LENGTH} characters`);
    }
    if (!URL.canParse(address)) throw new InvalidValue("Url", "must be an absolute http or https URL");
    return address;
  }),
});

builder.scalarType("NetworkName", {
  description: `The short name of a network: ${NETWORK_NAMES.map((name) => `\`${name}\``).join(", ")}.`,
  serialize: (value) => value,
  ...createInput((value) => {
    const name = requireString(value, "NetworkName");
    if ((NETWORK_NAMES as readonly string[]).includes(name)) return name;
    throw new InvalidValue("NetworkName", `must be one of ${NETWORK_NAMES.join(", ")}`);
  }),
});

builder.scalarType("JSON", {
  description: "Any JSON value.",
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral(node, variables) {
    try {
      return literalToJson(node, variables ?? {});
    } catch (error) {
      if (error instanceof InvalidValue) return error;
      throw error;
    }
  },
});

function literalToJson(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return literalToNumber(node.value);
    case Kind.LIST:
      return node.values.map((value) => literalToJson(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literalToJson(field.value, variables)] as const),
      );
    case Kind.VARIABLE:
      return Object.hasOwn(variables, node.name.value) ? toJsonMember(variables[node.name.value]) : undefined;
    default:
      return node.value;
  }
}

/** Rejects a number that a double would round to another decimal. */
function literalToNumber(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && normalizeDecimal(text) === normalizeDecimal(String(number))) return number;
  throw new InvalidValue("JSON", "contains a number beyond the range or precision of a double. Write it as a string");
}

/** Returns sign, significant digits and exponent of a decimal: equal numbers have the same result. */
function normalizeDecimal(text: string): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}

/** A variable within a literal may have any type of the schema. Only a value of JSON can be a member. */
function toJsonMember(value: unknown): unknown {
  if (typeof value === "bigint" || value instanceof Date) {
    throw new InvalidValue("JSON", "must not contain a variable of another scalar. Declare the variable as JSON");
  }
  return value;
}
