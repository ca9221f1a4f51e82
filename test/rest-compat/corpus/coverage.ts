/** What a corpus contains of the routes' declarations: error codes, and each value of an enumeration. */
import type { z } from "zod";
import { toJsonSchema } from "../../../rest-compat/json-schema.ts";
import type { Exchange } from "./recorder.ts";

interface Schema {
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Returns the error codes of the recorded responses, in the route's own form. */
export function findErrorCodes(exchanges: readonly Exchange[]): Set<string> {
  // biome-ignore lint/suspicious/noExplicitAny: error bodies have several forms.
  const bodies = exchanges.filter(({ response }) => response.status >= 400).map(({ response }) => response.body as any);
  return new Set(bodies.map((body) => body?.error?.code ?? body?.error));
}

/** Returns the enumerated values of a schema that no body contains, such as `orders[].status: timeout`. */
export function findMissingValues(schema: z.ZodType, io: "input" | "output", bodies: readonly unknown[]): string[] {
  const missing: string[] = [];
  const visit = (part: Schema, values: readonly unknown[], path: string): void => {
    for (const value of part.enum ?? []) if (!values.includes(value)) missing.push(`${path}: ${value}`);
    for (const [name, inner] of Object.entries(part.properties ?? {})) {
      const members = values.flatMap((value) => (isObject(value) && name in value ? [value[name]] : []));
      visit(inner, members, path === "" ? name : `${path}.${name}`);
    }
    if (part.items) visit(part.items, values.filter(Array.isArray).flat(), `${path}[]`);
    for (const choice of part.anyOf ?? []) visit(choice, values, path);
  };
  visit(toJsonSchema(schema, io) as Schema, bodies, "");
  return missing;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
