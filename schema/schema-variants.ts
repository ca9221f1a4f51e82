/** The two schemas that clients use, both derived from the complete one. */
import { MapperKind, mapSchema, pruneSchema } from "@graphql-tools/utils";
import { GraphQLEnumType, type GraphQLSchema } from "graphql";
import { WIRE_ENUM } from "./wire-enum.ts";

/**
 * Options of a root field for the OAuth routes only: it has parameters as browsers and OAuth clients send them. It is not in
 * the public schema.
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

/** Returns the schema of the REST routes: complete, and enums in variables and results have their wire values. */
export function toRestSchema(schema: GraphQLSchema): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.ENUM_TYPE]: (type) => (type.extensions[WIRE_ENUM] ? withWireValues(type) : undefined),
  });
}

/** Wire values such as `payment.settled` are no GraphQL names, so the copy converts them itself. */
function withWireValues(type: GraphQLEnumType): GraphQLEnumType {
  const copy = new GraphQLEnumType(type.toConfig());
  const wireValues = new Set<unknown>(type.getValues().map(({ value }) => value));
  const requireWireValue = (value: unknown) => {
    if (wireValues.has(value)) return value as string;
    throw new Error(`${type.name} has no such value.`);
  };
  copy.serialize = requireWireValue;
  copy.parseValue = requireWireValue;
  return copy;
}
