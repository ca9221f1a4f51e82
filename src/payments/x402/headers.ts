/** Headers as any HTTP library of ours hands them over. */
export type HeaderBag = { readonly [name: string]: string | readonly string[] | undefined };

/** The first value of a header, whatever the case of its name; undefined when absent. */
export function headerValue(headers: HeaderBag, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === wanted) return typeof value === "string" ? value : value?.[0];
  }
  return undefined;
}
