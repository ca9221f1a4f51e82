/** Relay's `Node`, and the descriptions of what plugins generate. */
import { type GraphQLSchema, isInterfaceType, isObjectType } from "graphql";

const PAGE_INFO: Readonly<Record<string, string>> = {
  hasNextPage: "Whether there are more after this page.",
  hasPreviousPage: "Whether there are more before this page.",
  startCursor: "The cursor of the first item.",
  endCursor: "The cursor of the last item: pass it as `after` for the next page.",
};

const CONNECTION: Readonly<Record<string, string>> = {
  edges: "The items of the page, each with its cursor.",
  pageInfo: "Where the page stands in the list.",
  node: "The item.",
  cursor: "Its place in the list.",
};

const ARGUMENTS: Readonly<Record<string, string>> = {
  first: "How many, from the start or after `after`; 1 to 100, default 20.",
  last: "How many, from the end or before `before`, in the same order; 1 to 100. Not together with `first`.",
  after: "Those after this cursor: the last one's of the page before. Not together with `last`.",
  before: "Those before this cursor: the first one's of the page after. Not together with `first`.",
  id: "A global id.",
  ids: "Global ids.",
};

const ROOT: Readonly<Record<string, string>> = {
  node: "An object of the caller's by its global id; null when there is none.",
  nodes: "Objects of the caller's by their global ids; null for those that are not there.",
};

/** Describes what the relay plugin generates, so that nothing in the schema stands without a word. */
export function describeGenerated(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__") || !(isObjectType(type) || isInterfaceType(type))) continue;
    if (type.name === "Node") type.description = "An object with a global id.";
    if (type.name === "PageInfo") type.description = "Where a page stands in its list.";
    for (const field of Object.values(type.getFields())) {
      const known = type.name === "PageInfo" ? PAGE_INFO : type.name === "Query" ? ROOT : CONNECTION;
      field.description ??= type.name === "Node" ? "The global id." : known[field.name];
      for (const argument of field.args) argument.description ??= ARGUMENTS[argument.name];
    }
  }
  return schema;
}
