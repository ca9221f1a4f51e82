import { z } from "zod";

/** A zod schema as JSON Schema, without the dialect's name. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: written }) {
      const { default: fallback } = z.globalRegistry.get(zodSchema) ?? {};
      // zod leaves it out where a text becomes something else; here it is told as callers write it.
      if (fallback !== undefined) written.default = fallback;
      // How a number's text looks is said by its type.
      if (written.type === "integer" || written.type === "number") delete written.pattern;
    },
  }) as Record<string, unknown>;
  return rest;
}

/** An object's members as OpenAPI writes parameters; `required` of a member's meta data counts as well (`neededText`). */
export function parametersOf(schema: z.ZodObject, place: "query" | "path" | "header"): Record<string, unknown>[] {
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, required: isNeeded = false, ...rest }]) => ({
    name,
    in: place,
    required: isNeeded === true || required.includes(name),
    description,
    schema: rest,
  }));
}
