import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { configSchema } from "../../../src/platform/config/schema.ts";
import { workerConfigSchema } from "../../../src/worker/config.ts";

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** `# description`, then `NAME=default`, or `# NAME=` where there is no default. */
async function readExample(): Promise<Variable[]> {
  const text = await readFile(new URL("../../../.env.example", import.meta.url), "utf8");
  return [...text.matchAll(/^# (?<description>.+)\n(?:# )?(?<name>[A-Z_]+)=(?<value>.*)$/gm)].map(
    ({ groups }) => groups as unknown as Variable,
  );
}

function expected(): Variable[] {
  // What checkout workers share with the service stands among its variables.
  return Object.entries({ ...configSchema.shape, ...workerConfigSchema.shape }).map(([name, field]) => {
    const inputDefault = field.safeParse(undefined);
    return {
      name,
      value: inputDefault.success ? defaultText(name, inputDefault.data) : "",
      description: field.description ?? "",
    };
  });
}

/** As a person writes it: flags as 0 and 1, dollars with cents, lists and absent values as nothing. */
function defaultText(name: string, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (name.endsWith("_USD")) return (Number(value) / 1e6).toFixed(2);
  return String(value);
}

test("every variable has a description", () => {
  expect(expected().filter(({ description }) => !description)).toEqual([]);
});

test(".env.example lists the variables of the configuration, in order, with defaults and descriptions", async () => {
  expect(await readExample()).toEqual(expected());
});
