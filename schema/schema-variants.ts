/** The two schemas that clients use, both derived from the complete one. */
import { MapperKind, mapSchema, pruneSchema } from "@graphql-tools/utils";
import { type GraphQLEnumType, GraphQLError, type GraphQLSchema, isEnumType } from "graphql";
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
  // `mapSchema` copies every type.
  const copy = mapSchema(schema, {});
  for (const type of Object.values(copy.getTypeMap())) {
    if (isEnumType(type) && type.extensions[WIRE_ENUM]) useWireValues(type);
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
