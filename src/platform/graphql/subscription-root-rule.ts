import {
  type ASTVisitor,
  type DirectiveNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";

const CONDITIONS = new Set(["skip", "include"]);

/**
 * Validation rule: rejects `@skip` and `@include` on the root field of a subscription, also within fragments (GraphQL specification,
 * Single Root Field). Without it graphql-js 16 throws, since a subscription without a root field cannot start.
 */
export function subscriptionRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return false;
      const nodes = findConditions(context, selectionSet);
      if (nodes.length > 0) {
        const message = "The root field of a subscription cannot have @skip or @include. Omit the directive.";
        context.reportError(new GraphQLError(message, { nodes }));
      }
      return false;
    },
  };
}

function findConditions(context: ValidationContext, root: SelectionSetNode): DirectiveNode[] {
  const visited = new Set<FragmentDefinitionNode>();
  const pending = [root];
  const found: DirectiveNode[] = [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const selection of next.selections) {
      found.push(...(selection.directives ?? []).filter(({ name }) => CONDITIONS.has(name.value)));
      if (selection.kind === Kind.INLINE_FRAGMENT) pending.push(selection.selectionSet);
      if (selection.kind !== Kind.FRAGMENT_SPREAD) continue;
      const fragment = context.getFragment(selection.name.value);
      if (!fragment || visited.has(fragment)) continue;
      visited.add(fragment);
      pending.push(fragment.selectionSet);
    }
  }
  return found;
}
