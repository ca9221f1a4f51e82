/** Enums: closed sets of values with a name in GraphQL and another on the wire of REST, webhooks and events. */
import { builder } from "./builder.ts";

/** Returns the GraphQL name of a wire value: `payment.settled` is `PAYMENT_SETTLED`. */
export function toEnumName(wireValue: string): string {
  return wireValue.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
}

/** Mark of the enums that have wire values. */
export const WIRE_ENUM = "wireEnum";

/**
 * Adds an enum whose values are wire values, as resolvers and rows have them. GraphQL clients see their names (`toEnumName`).
 * @param values the description of each wire value
 */
export function wireEnum<Value extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Value, string>>,
) {
  return builder.enumType(name, {
    description,
    extensions: { [WIRE_ENUM]: true },
    values: Object.fromEntries(
      Object.entries<string>(values).map(([value, meaning]) => [toEnumName(value), { value, description: meaning }]),
    ) as Record<string, { value: Value; description: string }>,
  });
}
