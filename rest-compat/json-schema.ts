import { z } from "zod";

/** Keywords of the text that a parameter with another documented type is parsed from. */
const TEXT_KEYWORDS = ["enum", "format", "pattern", "minLength", "maxLength"] as const;

/** Converts a zod schema to JSON Schema, without `$schema`. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: generated }) {
      const documented = z.globalRegistry.get(zodSchema) ?? {};
      // zod omits the default of a transformed string; the documentation shows it in the caller's form.
      if (documented["default"] !== undefined) generated.default = documented["default"];
      // Another documented type, such as that of a number in a query string, has none of the text's keywords.
      if (documented["type"] !== undefined && documented["type"] !== "string") {
        for (const keyword of TEXT_KEYWORDS) if (!Object.hasOwn(documented, keyword)) delete generated[keyword];
      }
      // The format implies zod's pattern, which few generators understand.
      if (generated.format !== undefined) delete generated.pattern;
      // Requests with other members are rejected. zod describes only responses so.
      if (io === "input" && zodSchema instanceof z.ZodObject) generated.additionalProperties ??= false;
      // The names of an object's members are strings in any case.
      delete generated.propertyNames;
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
