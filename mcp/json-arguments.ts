/** Arguments as some clients send them: numbers, booleans, lists and objects as JSON text. */

/** The part of a JSON Schema that says which types a member may have. */
interface MemberSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly MemberSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Returns the arguments with JSON texts parsed, where the schema permits the parsed type and no text. */
export function parseJsonArguments(
  properties: Readonly<Record<string, MemberSchema>>,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    parsed[name] = schema && typeof value === "string" ? parseMember(typesOf(schema), value) : value;
  }
  return parsed;
}

function typesOf({ type, anyOf, enum: values, const: constant }: MemberSchema): ReadonlySet<string> {
  if (anyOf) return new Set(anyOf.flatMap((schema) => [...typesOf(schema)]));
  if (type !== undefined) return new Set([type].flat());
  return new Set((values ?? [constant]).map((value) => typeof value));
}

function parseMember(types: ReadonlySet<string>, text: string): unknown {
  if (types.has("string")) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeNames(value).some((name) => types.has(name)) ? value : text;
  } catch {
    return text;
  }
}

function typeNames(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return typeof value === "number" ? (Number.isInteger(value) ? ["integer", "number"] : ["number"]) : [typeof value];
}
