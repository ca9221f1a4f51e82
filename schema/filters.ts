/** Returns the values that a filter selects; null for all: an omitted or empty list restricts nothing. */
export function selectedOf<Value>(values: readonly Value[] | null | undefined): readonly Value[] | null {
  return values?.length ? values : null;
}

/** Returns the accepted values of a filter with one value; null if it is not given. */
export function only(value: string | boolean | null | undefined): string[] | null {
  return value === undefined || value === null ? null : [String(value)];
}
