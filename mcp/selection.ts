/** The tools that a client selects in the URL: `/mcp?tools=wallet,trade&read_only=1`. */
import { InvalidRequestError } from "../src/platform/errors.ts";
import { DEFAULT_GROUPS, GROUP_NAMES, type Group } from "./groups.ts";
import type { Tool } from "./tool.ts";

/** The client's selection of tools. */
export interface Selection {
  readonly groups: readonly Group[];
  readonly isReadOnly: boolean;
}

/**
 * Reads the query of the URL.
 * @throws {InvalidRequestError} with the parameter that is unknown or not valid
 */
export function readSelection(query: Readonly<Record<string, unknown>>): Selection {
  for (const [name, value] of Object.entries(query)) {
    if (name !== "tools" && name !== "read_only") {
      throw new InvalidRequestError(`${name} is not a parameter. Use tools and read_only.`, name);
    }
    if (typeof value !== "string") throw new InvalidRequestError(`${name} must not be repeated.`, name);
  }
  const { tools, read_only: readOnly = "0" } = query as { tools?: string; read_only?: string };
  if (readOnly !== "0" && readOnly !== "1") throw new InvalidRequestError("read_only must be 0 or 1.", "read_only");
  return { groups: tools === undefined ? DEFAULT_GROUPS : readGroups(tools), isReadOnly: readOnly === "1" };
}

function readGroups(text: string): readonly Group[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !GROUP_NAMES.some((group) => group === name));
  if (unknown !== undefined) {
    const message = `tools must list groups, separated by commas: ${GROUP_NAMES.join(", ")}. Unknown group: ${JSON.stringify(unknown)}.`;
    throw new InvalidRequestError(message, "tools");
  }
  return GROUP_NAMES.filter((group) => names.includes(group));
}

/** Returns whether a selection includes a tool. */
export function isSelected({ group, effect }: Pick<Tool, "group" | "effect">, selection: Selection): boolean {
  const isInGroup = group === "always" || selection.groups.includes(group);
  return isInGroup && (effect === "none" || !selection.isReadOnly);
}
