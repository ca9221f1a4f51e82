/** Parts of a route's section on `/docs`: tables, examples and error codes. */
import type { DescribedCode } from "../error-meanings.ts";
import { type Html, html, prose } from "./html.ts";

interface TableRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Renders a table with a heading, or null without rows. */
export function table(title: string, rows: readonly TableRow[]): Html | null {
  if (rows.length === 0) return null;
  return html`<h4>${title}</h4>
<div class="wide"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code></td><td>${type}${required ? html`, required` : null}</td><td>${prose(description)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Renders preformatted text. It is focusable, so that keyboards can scroll it. */
export function verbatim(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

export function example(...texts: readonly string[]): Html {
  return html`<h4>Example</h4>${texts.map(verbatim)}`;
}

/** Renders the error codes by status, with their meanings. */
export function errorTable(
  rows: Iterable<readonly [status: number | string, codes: readonly DescribedCode[]]>,
  member: "error" | "code",
): Html {
  return html`<details><summary>Errors</summary>
<div class="wide"><table><thead><tr><th>Status</th><th>${member}</th><th>Meaning</th></tr></thead><tbody>${[
    ...rows,
  ].flatMap(([status, codes]) =>
    codes.map(
      ({ code, meaning }) =>
        html`<tr><td class="figure">${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`,
    ),
  )}</tbody></table></div></details>`;
}

/** Converts an OpenAPI parameter to a table row. */
export function asParameter(parameter: Record<string, unknown>): TableRow {
  return createRow(
    String(parameter["name"]),
    parameter["schema"],
    parameter["required"] === true,
    parameter["description"],
  );
}

/** Returns a table row for each member of a JSON schema, nested ones with their path. */
export function members(schema: Record<string, unknown>, prefix = ""): TableRow[] {
  const {
    properties = {},
    required = [],
    description,
  } = schema as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
    description?: string;
  };
  const own = Object.entries(properties).flatMap(([name, member]) => [
    createRow(prefix + name, member, required.includes(name), member["description"]),
    ...members({ ...member, description: undefined }, `${prefix}${name}.`),
  ]);
  return own.length === 0 && description ? [createRow("(any)", schema, false, description)] : own;
}

function createRow(name: string, schema: unknown, required: boolean, description: unknown): TableRow {
  const {
    enum: values,
    type,
    anyOf = [],
    minimum,
    maximum,
    default: defaultValue,
  } = schema as {
    enum?: string[];
    type?: string | string[];
    anyOf?: { type?: string }[];
    minimum?: number;
    maximum?: number;
    default?: unknown;
  };
  const kind = values
    ? values.join(", ")
    : [type ?? anyOf.map((one) => one.type ?? "any")]
        .flat()
        .filter((one) => one !== "null")
        .join(" or ") || "any";
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : "";
  const defaultText = defaultValue === undefined ? "" : ` Default \`${defaultValue}\`.`;
  return { name, type: kind + range, required, description: `${description ?? ""}${defaultText}` };
}
