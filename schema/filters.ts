/** Returns the values that a filter selects; null for all: an omitted or empty list restricts nothing. */
export function selectedOf<Value>(values: readonly Value[] | null | undefined): readonly Value[] | null {
  return values?.length ? values : null;
}
