import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  Kind,
  type SelectionNode,
} from "graphql";
import type { Variables } from "./compile-operation.ts";
import type { Operation } from "./operation-store.ts";

export type RootField = { readonly node: FieldNode; readonly field: GraphQLField<unknown, unknown> };

/** Returns the first root field of the operation that has a truthy `extension`, also within fragments; null if there is none. */
export function findRootField(schema: GraphQLSchema, operation: Operation, extension: string): RootField | null {
  const fields = schema.getRootType(operation.definition.operation)?.getFields() ?? {};
  // Validation has rejected fragment cycles.
  const search = (selections: readonly SelectionNode[]): RootField | null => {
    for (const node of selections) {
      const found = node.kind === Kind.FIELD ? readField(node) : search(selectionsOf(node));
      if (found) return found;
    }
    return null;
  };
  const readField = (node: FieldNode): RootField | null => {
    const field = fields[node.name.value];
    return field?.extensions[extension] ? { node, field } : null;
  };
  const selectionsOf = (node: Exclude<SelectionNode, FieldNode>): readonly SelectionNode[] => {
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections;
    const fragment = operation.document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fragment.selectionSet.selections : [];
  };
  return search(operation.definition.selectionSet.selections);
}

/** Returns the coerced arguments of a root field; null if the variables do not match the operation. */
export function readArguments(
  schema: GraphQLSchema,
  { definition }: Operation,
  { node, field }: RootField,
  variables: Variables | null | undefined,
): Readonly<Record<string, unknown>> | null {
  const { coerced } = getVariableValues(schema, definition.variableDefinitions ?? [], variables ?? {});
  try {
    return coerced ? getArgumentValues(field, node, coerced) : null;
  } catch {
    // An argument without a value: execution reports it.
    return null;
  }
}
