/** Scopes of a REST route: those of the fields that its operation selects, in the access table. */
import { type DocumentNode, Kind, OperationTypeNode, type SelectionSetNode } from "graphql";
import { type Access, FIELD_ACCESS } from "../schema/access/access-table.ts";
import type { Route } from "./route.ts";

const ROOT_TYPES = {
  [OperationTypeNode.QUERY]: "Query",
  [OperationTypeNode.MUTATION]: "Mutation",
  [OperationTypeNode.SUBSCRIPTION]: "Subscription",
} as const;

/** Returns the scopes that a token needs where scopes are enforced. Routes do not enforce them by default (spec section 5). */
export function scopesOf(route: { readonly document: DocumentNode }): Access["scopes"] {
  return [
    ...new Set(
      accessesOf(route).flatMap(({ caller, scopes: own, scopesOnRoutes: scopes = own }) =>
        caller === "manager" ? ["account:manage" as const, ...scopes] : scopes,
      ),
    ),
  ];
}

/** Returns what the fields that a document selects require. */
export function accessesOf({ document }: { readonly document: DocumentNode }): readonly Access[] {
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? accessesOfFields(ROOT_TYPES[definition.operation], definition.selectionSet)
      : [],
  );
}

function accessesOfFields(type: string, { selections }: SelectionSetNode): Access[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD)
      throw new Error(`Unexpected fragment ${selection.name.value} on ${type}`);
    if (selection.kind === Kind.INLINE_FRAGMENT) return accessesOfFields(type, selection.selectionSet);
    const access = FIELD_ACCESS.get(`${type}.${selection.name.value}`);
    const isViewer = type === "Query" && selection.name.value === "viewer" && selection.selectionSet;
    return [...(access ? [access] : []), ...(isViewer ? accessesOfFields("Viewer", isViewer) : [])];
  });
}

/** Returns the sentence that documents the scopes; empty if the route needs none. */
export function describeScopes(route: Pick<Route, "document">): string {
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``);
  if (scopes.length === 0) return "";
  return `${scopes.length === 1 ? "Scope" : "Scopes"}: ${scopes.join(", ")}. `;
}
