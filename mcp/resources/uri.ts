/** URIs of resources: `satchel://orders`, `satchel://orders/ord_…`, with the arguments of the tool as query parameters. */

const SCHEME = "satchel:";

export interface ResourceUri {
  /** Name of the kind. */
  readonly name: string;
  /** Null for the list. */
  readonly id: string | null;
  readonly parameters: Readonly<Record<string, string>>;
}

export function formatUri(name: string, id: string | null = null): string {
  return `${SCHEME}//${name}${id === null ? "" : `/${encodeURIComponent(id)}`}`;
}

/** Returns the parts of a URI; null if it is none of a resource here. */
export function parseUri(text: string): ResourceUri | null {
  const url = URL.parse(text);
  if (url?.protocol !== SCHEME) return null;
  const [, id = "", ...more] = url.pathname.split("/");
  const name = url.hostname;
  const parameters = Object.fromEntries(url.searchParams);
  if (more.length > 0) return null;
  try {
    return { name, id: id === "" ? null : decodeURIComponent(id), parameters };
  } catch {
    return null;
  }
}
