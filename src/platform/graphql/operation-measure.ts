import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** Counts of an operation's selections. A fragment counts each time it is spread. */
export type OperationMeasure = {
  depth: number;
  fields: number;
  aliases: number;
  directives: number;
  rootFields: number;
  /** Root fields marked `extensions.movesMoney`. */
  moneyFields: number;
};

const NOTHING: OperationMeasure = { depth: 0, fields: 0, aliases: 0, directives: 0, rootFields: 0, moneyFields: 0 };

/**
 * Measures one operation. Visits each fragment once, so the cost is linear in the document even if its expansion is
 * exponential. A recursive fragment counts as empty, since validation rejects it. `__schema` and `__type` add no depth,
 * because graphql-js limits it.
 */
export function measureOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  rootType: GraphQLObjectType | null | undefined,
): OperationMeasure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const rootFields = rootType?.getFields() ?? {};
  const measured = new Map<string, OperationMeasure>();

  const measureFragment = (name: string): OperationMeasure => {
    const cached = measured.get(name);
    if (cached) return cached;
    measured.set(name, NOTHING);
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    const result = measureSelections(fragment.selectionSet);
    result.directives += fragment.directives?.length ?? 0;
    measured.set(name, result);
    return result;
  };

  const measureSelections = (set: SelectionSetNode): OperationMeasure => {
    const sum = { ...NOTHING };
    for (const selection of set.selections) {
      sum.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const inner = selection.selectionSet ? measureSelections(selection.selectionSet) : NOTHING;
        const introspects = name === "__schema" || name === "__type";
        sum.depth = Math.max(sum.depth, introspects ? 1 : inner.depth + 1);
        sum.fields += inner.fields + 1;
        sum.aliases += inner.aliases + (selection.alias ? 1 : 0);
        sum.directives += inner.directives;
        sum.rootFields += 1;
        if (rootFields[name]?.extensions["movesMoney"] === true) sum.moneyFields += 1;
        continue;
      }
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? measureSelections(selection.selectionSet)
          : measureFragment(selection.name.value);
      sum.depth = Math.max(sum.depth, inner.depth);
      sum.fields += inner.fields;
      sum.aliases += inner.aliases;
      sum.directives += inner.directives;
      sum.rootFields += inner.rootFields;
      sum.moneyFields += inner.moneyFields;
    }
    return sum;
  };

  const total = measureSelections(operation.selectionSet);
  total.directives += operation.directives?.length ?? 0;
  for (const variable of operation.variableDefinitions ?? []) total.directives += variable.directives?.length ?? 0;
  return total;
}
