import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/** What an operation selects, every fragment counted as often as it is spread. */
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
 * Measures one operation. Each fragment is walked once however often it is spread, so a document that would unfold
 * exponentially costs no more than its length. A fragment inside itself counts as nothing: validation refuses it.
 * `__schema` and `__type` add no depth (graphql-js bounds how deep they may go).
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

  const ofFragment = (name: string): OperationMeasure => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, NOTHING);
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    const result = ofSelections(fragment.selectionSet);
    result.directives += fragment.directives?.length ?? 0;
    measured.set(name, result);
    return result;
  };

  const ofSelections = (set: SelectionSetNode): OperationMeasure => {
    const sum = { ...NOTHING };
    for (const selection of set.selections) {
      sum.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const inner = selection.selectionSet ? ofSelections(selection.selectionSet) : NOTHING;
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
          ? ofSelections(selection.selectionSet)
          : ofFragment(selection.name.value);
      sum.depth = Math.max(sum.depth, inner.depth);
      sum.fields += inner.fields;
      sum.aliases += inner.aliases;
      sum.directives += inner.directives;
      sum.rootFields += inner.rootFields;
      sum.moneyFields += inner.moneyFields;
    }
    return sum;
  };

  const total = ofSelections(operation.selectionSet);
  total.directives += operation.directives?.length ?? 0;
  for (const variable of operation.variableDefinitions ?? []) total.directives += variable.directives?.length ?? 0;
  return total;
}
