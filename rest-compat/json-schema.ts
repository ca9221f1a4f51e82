import { z } from "zod";

/** Converts a zod schema to JSON Schema, without `$schema`. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: generated }) {
      const { default: fallback } = z.globalRegistry.get(zodSchema) ?? {};
      // zod omits the default of a transformed string; the documentation shows it in the caller's form.
      if (fallback !== undefined) generated.default = fallback;
      // The type already implies the format of a number's text.
      if (generated.type === "integer" || generated.type === "number") delete generated.pattern;
    },
  }) as Record<string, unknown>;
  return rest;
}

/** Returns an object's members as OpenAPI parameters. A member is also required if its metadata says so (`requiredText`). */
export function toParameters(schema: z.ZodObject, place: "query" | "path" | "header"): Record<string, unknown>[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, required: isRequired = false, ...rest }]) => ({
    name,
    in: place,
    required: isRequired === true || required.includes(name),
    description,
    schema: rest,
  }));
}
