/** Types and fields that the Relay plugin generates: descriptions, and the loading of nodes. */
import { type GraphQLSchema, isInterfaceType, isObjectType } from "graphql";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { InvalidValue } from "../src/platform/graphql/invalid-value.ts";
import type { GlobalId } from "./global-id.ts";

const PAGE_INFO: Readonly<Record<string, string>> = {
  hasNextPage: "Whether items exist after this page.",
  hasPreviousPage: "Whether items exist before this page.",
  startCursor: "The cursor of the first item.",
  endCursor: "The cursor of the last item. Pass it as `after` to get the next page.",
};

const CONNECTION: Readonly<Record<string, string>> = {
  edges: "The items of the page, each with its cursor.",
  pageInfo: "Pagination data: the page's first and last cursor, and whether further items exist.",
  node: "The item.",
  cursor: "The cursor of the item, for pagination.",
};

const ARGUMENTS: Readonly<Record<string, string>> = {
  first: "The number of items from the start of the list or after `after`; 0 to 100, default 20.",
  last: "The number of items from the end of the list or before `before`, in list order; 0 to 100. Cannot be combined with `first`.",
  after:
    "Returns the items after this cursor, the `endCursor` of the previous page. Cannot be combined with `last` or `before`.",
  before:
    "Returns the items before this cursor, the `startCursor` of the next page. Cannot be combined with `first` or `after`.",
  id: "A global id.",
  ids: "Global ids.",
};

const ROOT: Readonly<Record<string, string>> = {
  node: "The object with this global id. Null if the caller has no such object, and null with an error if the id is malformed.",
  nodes:
    "The objects with these global ids. Null for each id of which the caller has no object, and null with an error for each malformed id.",
};

/** Adds descriptions to the types, fields and arguments that the Relay plugin generates. Returns the schema. */
export function describeGenerated(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__") || !(isObjectType(type) || isInterfaceType(type))) continue;
    if (type.name === "Node") type.description = "An object with a global id.";
    if (type.name === "PageInfo") type.description = "Pagination data of a page.";
    for (const field of Object.values(type.getFields())) {
      const known = type.name === "PageInfo" ? PAGE_INFO : type.name === "Query" ? ROOT : CONNECTION;
      field.description ??= type.name === "Node" ? "The global id." : known[field.name];
      for (const argument of field.args) argument.description ??= ARGUMENTS[argument.name];
    }
  }
  return schema;
}

/** Loads each node independently. The item of a malformed id or of a failed look-up is the error. */
export async function loadNodes(
  ids: readonly GlobalId[],
  load: (id: GlobalId) => Promise<unknown[]>,
): Promise<never[]> {
  const loads = ids.map(async (id, i) => {
    if (!(id instanceof InvalidValue)) return (await load(id))[0];
    const path = ["ids", String(i)];
    const message = `ids[${i}] ${id.reason}.`;
    throw new InvalidRequestError(message, `ids[${i}]`, [{ path, message }]);
  });
  const results = await Promise.allSettled(loads);
  return results.map((result) => (result.status === "fulfilled" ? result.value : result.reason) as never);
}
