/** What a route's section is made of: tables, examples, failures. */
import type { DescribedCode } from "../described-codes.ts";
import { type Html, html, prose } from "./html.ts";

interface Described {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** A table with a heading; nothing where there are no rows. */
export function table(title: string, rows: readonly Described[]): Html | null {
  if (rows.length === 0) return null;
  return html`<h4>${title}</h4>
<div class="wide"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code></td><td>${type}${required ? html`, required` : null}</td><td>${prose(description)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Text as it is sent. It is scrolled to and fro by keyboard too. */
export function verbatim(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

export function example(...texts: readonly string[]): Html {
  return html`<h4>Example</h4>${texts.map(verbatim)}`;
}

/** Which codes come with which status, and what they mean. */
export function failures(
  rows: Iterable<readonly [status: number | string, codes: readonly DescribedCode[]]>,
  member: "error" | "code",
): Html {
  return html`<details><summary>Failures</summary>
<div class="wide"><table><thead><tr><th>Status</th><th>${member}</th><th>Meaning</th></tr></thead><tbody>${[
    ...rows,
  ].flatMap(([status, codes]) =>
    codes.map(
      ({ code, meaning }) =>
        html`<tr><td class="figure">${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`,
    ),
  )}</tbody></table></div></details>`;
}

/** A row for a parameter as OpenAPI writes it. */
export function asParameter(parameter: Record<string, unknown>): Described {
  return described(
    String(parameter["name"]),
    parameter["schema"],
    parameter["required"] === true,
    parameter["description"],
  );
}

/** A row for each member of a JSON schema, nested ones with their path. */
export function members(schema: Record<string, unknown>, prefix = ""): Described[] {
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
    described(prefix + name, member, required.includes(name), member["description"]),
    ...members({ ...member, description: undefined }, `${prefix}${name}.`),
  ]);
  return own.length === 0 && description ? [described("(any)", schema, false, description)] : own;
}

function described(name: string, schema: unknown, required: boolean, description: unknown): Described {
  const {
    enum: values,
    type,
    anyOf = [],
    minimum,
    maximum,
    default: byDefault,
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
  const otherwise = byDefault === undefined ? "" : ` Default \`${byDefault}\`.`;
  return { name, type: kind + range, required, description: `${description ?? ""}${otherwise}` };
}
