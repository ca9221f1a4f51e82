import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

/** The selections met at one place of the result, by response name. */
type Place = Map<string, { count: number; inner: Place }>;

/** Far more than an operation within the other limits has; also ends the walk of fragments in a circle. */
const MAX_VISITS = 10_000;

/**
 * How many pairs of fields are selected for the same place of the result, every fragment spread out. Validation
 * compares each pair (GraphQL section 5.3.2), so this is what an operation costs before it runs. Infinity stands for
 * too many to count.
 */
export function countOverlaps(document: DocumentNode, selectionSet: SelectionSetNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const pending: [SelectionSetNode, Place][] = [[selectionSet, new Map()]];
  let visits = 0;
  let overlaps = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [{ selections }, place] = next;
    for (const selection of selections) {
      if (++visits > MAX_VISITS) return Number.POSITIVE_INFINITY;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const met = place.get(name) ?? { count: 0, inner: new Map() };
        place.set(name, met);
        overlaps += met.count++;
        if (selection.selectionSet) pending.push([selection.selectionSet, met.inner]);
        continue;
      }
      const spread = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (spread) pending.push([spread.selectionSet, place]);
    }
  }
  return overlaps;
}
