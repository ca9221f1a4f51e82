/** The two schemas that clients use, both derived from the complete one. */
import { MapperKind, mapSchema, pruneSchema } from "@graphql-tools/utils";
import {
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isScalarType,
} from "graphql";
import { WIRE_ENUM } from "./wire-enum.ts";

/**
 * Options of a root field for the OAuth and OpenAI routes only: it has parameters or results as these protocols define them. It is
 * not in the public schema.
 */
export const INTERNAL = { extensions: { internal: true } };

/** Returns the schema of `/graphql`: without internal fields, and without the types that only those use. */
export function toPublicSchema(schema: GraphQLSchema): GraphQLSchema {
  return pruneSchema(
    mapSchema(schema, {
      [MapperKind.ROOT_FIELD]: (field) => (field.extensions?.["internal"] === true ? null : undefined),
    }),
  );
}

/** Scalars of codes that the use cases check too, with the errors that the REST contract states. */
const CODES = ["CountryCode", "CurrencyCode"];

/**
 * Returns the schema of the REST routes: complete, enums in variables and results have their wire values, and codes of
 * countries and currencies are texts.
 */
export function toRestSchema(schema: GraphQLSchema): GraphQLSchema {
  // `mapSchema` copies every type.
  const copy = mapSchema(schema, {});
  for (const type of Object.values(copy.getTypeMap())) {
    if (isEnumType(type) && type.extensions[WIRE_ENUM]) useWireValues(type);
    if (isScalarType(type) && CODES.includes(type.name)) acceptText(type);
  }
  return copy;
}

/** Replaces the conversion of an enum: wire values such as `payment.settled` are no GraphQL names. */
function useWireValues(type: GraphQLEnumType): void {
  const wireValues = new Set<unknown>(type.getValues().map(({ value }) => value));
  const requireWireValue = (value: unknown) => {
    if (wireValues.has(value)) return value as string;
    throw new GraphQLError(`The value does not exist in "${type.name}" enum.`);
  };
  type.serialize = requireWireValue;
  type.parseValue = requireWireValue;
}

function acceptText(type: GraphQLScalarType): void {
  type.parseValue = (value) => {
    if (typeof value === "string") return value;
    throw new GraphQLError(`${type.name} must be a string.`);
  };
}
