/** Headers in the shape of any of the HTTP libraries in use. */
export type HeaderBag = { readonly [name: string]: string | readonly string[] | undefined };

/** Returns the first value of a header, with case-insensitive names; undefined if absent. */
export function headerValue(headers: HeaderBag, name: string): string | undefined {
  const lowerName = name.toLowerCase();
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === lowerName) return typeof value === "string" ? value : value?.[0];
  }
  return undefined;
}
