import { GraphQLError, Kind, type ValueNode } from "graphql";
import { ServiceError } from "../src/platform/errors.ts";
import { formatUsd, parseUsd } from "../src/platform/money.ts";
import { NETWORK_NAMES } from "../src/wallet/networks.ts";
import { builder } from "./builder.ts";

const MAX_URL_LENGTH = 8_192;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Rejects a scalar's value. GraphQL adds the position to the message. */
function rejectValue(message: string): never {
  throw new GraphQLError(message);
}

function requireString(value: unknown, scalar: string): string {
  return typeof value === "string" ? value : rejectValue(`${scalar} must be a string.`);
}

builder.scalarType("Usd", {
  description:
    'An amount in US dollars as a decimal string with at most six decimals: `"0.25"`, `"5.00"`. Never rounded.',
  serialize: (value) => formatUsd(value),
  parseValue(value) {
    try {
      return parseUsd(requireString(value, "Usd"), "The amount");
    } catch (error) {
      return error instanceof ServiceError ? rejectValue(error.message) : rejectValue((error as Error).message);
    }
  },
});

builder.scalarType("AtomicAmount", {
  description: 'An amount in the smallest unit of its asset, as an integer string: `"250000"` is 0.25 USDC.',
  serialize: (value) => value.toString(),
  parseValue(value) {
    const digits = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof digits !== "string" || !/^\d{1,78}$/.test(digits)) {
      return rejectValue("AtomicAmount must be a non-negative integer in the asset's smallest unit, as a string.");
    }
    return BigInt(digits);
  },
  parseLiteral: (node) =>
    (node.kind === Kind.STRING || node.kind === Kind.INT) && /^\d{1,78}$/.test(node.value)
      ? BigInt(node.value)
      : rejectValue("AtomicAmount must be a non-negative integer in the asset's smallest unit, as a string."),
});

builder.scalarType("MinorAmount", {
  description: "An integer amount in the minor unit of the accompanying currency: `1999` is 19.99 GBP, or 1999 JPY.",
  serialize: (value) => value,
  parseValue: (value) =>
    Number.isSafeInteger(value) ? (value as number) : rejectValue("MinorAmount must be an integer in minor units."),
});

builder.scalarType("DateTime", {
  description: "An ISO 8601 timestamp with a UTC offset: `2026-11-20T17:29:16.000Z`. Responses use UTC.",
  serialize: (value) => value.toISOString(),
  parseValue(value) {
    const written = requireString(value, "DateTime");
    const time = new Date(written);
    const year = time.getUTCFullYear();
    if (!DATE_TIME.test(written) || !(year >= 1970 && year <= 9999)) {
      return rejectValue(
        "DateTime must be an ISO 8601 timestamp with a UTC offset, from 1970 on, such as 2026-11-20T17:29:16Z.",
      );
    }
    return time;
  },
});

builder.scalarType("Url", {
  description: "An absolute HTTP or HTTPS URL.",
  serialize: (value) => value,
  parseValue(value) {
    const address = requireString(value, "Url");
    if (address.length > MAX_URL_LENGTH) rejectValue(`Url must have at most ${MAX_URL_LENGTH} characters.`);
    return address;
  },
});

builder.scalarType("NetworkName", {
  description: `The short name of a network: ${NETWORK_NAMES.map((name) => `\`${name}\``).join(", ")}.`,
  serialize: (value) => value,
  parseValue(value) {
    const name = requireString(value, "NetworkName");
    return (NETWORK_NAMES as readonly string[]).includes(name)
      ? name
      : rejectValue(`Unknown network. Networks: ${NETWORK_NAMES.join(", ")}.`);
  },
});

builder.scalarType("JSON", {
  description: "Any JSON value.",
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => literalToJson(node, variables ?? {}),
});

function literalToJson(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((value) => literalToJson(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literalToJson(field.value, variables)] as const),
      );
    case Kind.VARIABLE:
      return variables[node.name.value];
    default:
      return node.value;
  }
}
