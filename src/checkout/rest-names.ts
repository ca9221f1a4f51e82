/** Returns the values under the names used by REST, digests and evidence, without null and undefined values. */
export function toRestNames<Field extends string>(
  names: Readonly<Record<Field, string>>,
  values: Readonly<Record<Field, unknown>>,
): Readonly<Record<string, unknown>> {
  const fields = Object.entries<string>(names).map(([field, name]) => [name, values[field as Field]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== undefined));
}
