import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

/** The selections visited at one path of the result, by response name. */
type Visited = Map<string, { count: number; inner: Visited }>;

/** Far more than an operation within the other limits has. */
const MAX_VISITS = 10_000;

/**
 * Counts the pairs of fields with the same response path, with all fragments expanded. Validation compares each pair (GraphQL
 * section 5.3.2), so the count is the operation's validation cost. Returns Infinity after `MAX_VISITS` selections.
 */
export function countOverlaps(document: DocumentNode, selectionSet: SelectionSetNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const pending: [SelectionSetNode, Visited][] = [[selectionSet, new Map()]];
  let visits = 0;
  let overlaps = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [{ selections }, visited] = next;
    for (const selection of selections) {
      if (++visits > MAX_VISITS) return Number.POSITIVE_INFINITY;
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const entry = visited.get(name) ?? { count: 0, inner: new Map() };
        visited.set(name, entry);
        overlaps += entry.count++;
        if (selection.selectionSet) pending.push([selection.selectionSet, entry.inner]);
        continue;
      }
      const spread = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (spread) pending.push([spread.selectionSet, visited]);
    }
  }
  return overlaps;
}
