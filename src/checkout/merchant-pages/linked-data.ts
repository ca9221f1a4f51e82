/** schema.org data in merchants' pages: nodes in lists, graphs or other nodes, and values alone or in lists. */

export type Node = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;
const MAX_NODES = 2_000;

/** Returns all nodes of the given types at any depth up to `DEEPEST`. */
export function findNodes(linkedData: readonly unknown[], types: readonly string[]): Node[] {
  const typeSet = new Set(types);
  const found: Node[] = [];
  let seen = 0;
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || seen > MAX_NODES) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth + 1);
    } else if (isNode(value)) {
      seen += 1;
      if (readTypes(value).some((type) => typeSet.has(type))) found.push(value);
      for (const inner of Object.values(value)) if (typeof inner === "object") visit(inner, depth + 1);
    }
  };
  visit(linkedData, 0);
  return found;
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the types of a node without the vocabulary's URL. */
function readTypes(node: Node): string[] {
  return toList(node["@type"]).flatMap((type) => (typeof type === "string" ? [type.replace(/^.*[/#:]/, "")] : []));
}

export function hasType(node: Node, type: string): boolean {
  return readTypes(node).includes(type);
}

export function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function toNodes(value: unknown): Node[] {
  return toList(value).filter(isNode);
}

/** Returns the first text or number of a property; null if there is none. */
export function readText(value: unknown): string | null {
  for (const one of toList(value)) {
    const content = isNode(one) ? (one["@value"] ?? one["name"]) : one;
    if (typeof content === "number" && Number.isFinite(content)) return String(content);
    if (typeof content === "string" && content.trim() !== "") return content.replace(/\s+/g, " ").trim();
  }
  return null;
}

/** Returns the first URL of a property or image object; null if there is none. */
export function readUrl(value: unknown, base: string): string | null {
  for (const one of toList(value)) {
    const content = isNode(one) ? (one["url"] ?? one["contentUrl"] ?? one["@id"]) : one;
    const url = typeof content === "string" ? URL.parse(content.trim(), base) : null;
    if (url && /^https?:$/.test(url.protocol) && url.href.length <= 2_048) return url.href;
  }
  return null;
}
