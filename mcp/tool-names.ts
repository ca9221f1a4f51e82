/**
 * Names of the GraphQL schema and the REST API in failures, converted to those of the called tool: a model knows only the tool. This is
 * the one place where they are converted.
 */
import { ToolError } from "./tool-error.ts";

/** Arguments whose name is not the one of the schema in snake case. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  after: ["cursor"],
  first: ["limit"],
  fulfillment_option_id: ["option_id"],
  max_value: ["max_usd", "payment_id"],
  timeout_ms: ["timeout_seconds"],
  message_id: ["id"],
  q: ["query"],
  max_sell_amount: ["quote_id"],
  min_buy_amount: ["quote_id"],
  amount_minor: ["quote_id"],
  user_approved_at: ["quote_id"],
  idempotency_key: ["payment_id", "quote_id"],
};

/** Routes and the tools that do the same. */
const ROUTES: readonly (readonly [RegExp, string])[] = [
  [/`?GET \/api\/trade\/tokens`?/g, "list_trade_tokens"],
  [/`?GET \/v1\/models`?/g, "list_models"],
  [/`?POST \/api\/autofill\/explore`?/g, "explore_shop"],
];

/** Codes whose message contains another server's text. It is relayed unchanged. */
const RELAYED = ["tool_call_failed", "provider_failed", "provider_refused"];

export interface Arguments {
  readonly properties: Readonly<Record<string, object>>;
}

/** Returns a failure in the names of the tool. A field that is no argument of the tool is omitted. */
export function inToolNames({ failure, details }: ToolError, schema: Arguments): ToolError {
  const names = listNames(schema);
  const { field: given = null, message, ...rest } = failure;
  const { detail, ...others } = details as { readonly detail?: string };
  const path = given ?? (detail === undefined ? null : `shipTo.${detail}`);
  const field = path === null ? null : toPath(path, names);
  const isArgument = field !== null && Object.hasOwn(schema.properties, field.split(/[.[]/, 1)[0] ?? "");
  const text = RELAYED.includes(failure.code) ? message : translate(message, names, path);
  return new ToolError(
    { ...rest, message: text, field: isArgument ? field : null },
    toSnakeCase(others) as ToolError["details"],
  );
}

/** Returns the names of all arguments, including those of nested objects. */
function listNames(schema: object): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === "properties") for (const name of Object.keys(member as object)) names.add(name);
      visit(member);
    }
  };
  visit(schema);
  return names;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`);

/** Returns the argument of a name; the name in snake case if the tool has none. */
function toArgument(name: string, names: ReadonlySet<string>): string {
  const own = snake(name);
  return names.has(own) ? own : (ALIASES[own]?.find((alias) => names.has(alias)) ?? own);
}

/** Converts a path such as `input.items[0].sku`. */
function toPath(path: string, names: ReadonlySet<string>): string {
  return path.replace(/^(?:input|filter|requestData)\./, "").replace(/[A-Za-z]\w*/g, (name) => toArgument(name, names));
}

/** Converts names in a sentence: those in camel case, and the field of the error. */
function translate(message: string, names: ReadonlySet<string>, path: string | null): string {
  const convert = (name: string) => {
    const argument = toArgument(name, names);
    return names.has(argument) ? argument : name;
  };
  const known = ROUTES.reduce((text, [route, tool]) => text.replace(route, tool), message)
    .replace(/\bIdempotency-Key\b/g, () => convert("idempotencyKey"))
    .replace(/\b[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+\b/g, convert);
  const last = path?.split(".").at(-1) ?? "";
  return /^[a-z]+$/.test(last) ? known.replace(new RegExp(`\\b${last}\\b`, "g"), convert) : known;
}

/** Converts the names of members at any depth. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snake(name), toSnakeCase(member)]));
}
