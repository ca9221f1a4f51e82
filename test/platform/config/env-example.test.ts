import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { configSchema } from "../../../src/platform/config/schema.ts";
import { workerConfigSchema } from "../../../src/worker/config.ts";

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** Parses `# description` lines followed by `NAME=default`, or by `# NAME=` without a default. */
async function readExample(): Promise<Variable[]> {
  const text = await readFile(new URL("../../../.env.example", import.meta.url), "utf8");
  return [...text.matchAll(/^# (?<description>.+)\n(?:# )?(?<name>[A-Z_]+)=(?<value>.*)$/gm)].map(
    ({ groups }) => groups as unknown as Variable,
  );
}

function expected(): Variable[] {
  // Variables shared with the service appear at their position among the service's.
  return Object.entries({ ...configSchema.shape, ...workerConfigSchema.shape }).map(([name, field]) => {
    const inputDefault = field.safeParse(undefined);
    return {
      name,
      value: inputDefault.success ? defaultText(name, inputDefault.data) : "",
      description: field.description ?? "",
    };
  });
}

/** Formats a default as in `.env`: flags as 0 and 1, dollars with cents, empty lists and absent values as empty text. */
function defaultText(name: string, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (name.endsWith("_USD")) return (Number(value) / 1e6).toFixed(2);
  return String(value);
}

test("each variable has a description", () => {
  expect(expected().filter(({ description }) => !description)).toEqual([]);
});

test(".env.example lists all variables of the schemas in order, with defaults and descriptions", async () => {
  expect(await readExample()).toEqual(expected());
});
