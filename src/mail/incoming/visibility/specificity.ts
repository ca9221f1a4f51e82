/** Specificity of selectors (Selectors Level 4, section 17): the numbers of ids, of classes, and of types, as one number. */
import type { CssNode } from "css-tree";

/** Below that of 10 ids, so that an inline style has precedence. */
export const MAX_SPECIFICITY = 9_999_999;

/** @param parent specificity of the enclosing rule, for `&` */
export function measureParts(parts: readonly CssNode[], parent: number): number {
  let sum = 0;
  for (const part of parts) {
    if (part.type === "IdSelector") sum += 1_000_000;
    else if (part.type === "ClassSelector" || part.type === "AttributeSelector") sum += 1_000;
    else if (part.type === "TypeSelector") sum += part.name.endsWith("*") ? 0 : 1;
    else if (part.type === "NestingSelector") sum += parent;
    else if (part.type === "PseudoElementSelector") sum += 1;
    else if (part.type === "PseudoClassSelector")
      sum += measurePseudoClass(part.name.toLowerCase(), part.children?.toArray() ?? [], parent);
  }
  return sum;
}

function measurePseudoClass(name: string, parts: readonly CssNode[], parent: number): number {
  if (name === "where") return 0;
  if (!["is", "not", "has", "matches"].includes(name)) return 1_000;
  const selectors = parts.flatMap((list) => (list.type === "SelectorList" ? list.children.toArray() : []));
  return Math.max(
    0,
    ...selectors.map((one) => (one.type === "Selector" ? measureParts(one.children.toArray(), parent) : 0)),
  );
}
