/** Positions of elements among their siblings. All children of a parent are counted at once, so the time is linear. */
import type { Element, ParentNode } from "domhandler";
import { isTag } from "domhandler";

interface Position {
  readonly previous: Element | null;
  /** 1 for the first element. */
  readonly index: number;
  readonly indexOfType: number;
}

interface Siblings {
  readonly positions: ReadonlyMap<Element, Position>;
  readonly counts: ReadonlyMap<string, number>;
}

export interface ElementPositions {
  previous(element: Element): Element | null;
  /** Returns the position from one end, 1 for the first, among all siblings or those with the same name. */
  index(element: Element, isFromEnd: boolean, isOfType: boolean): number;
}

export function createElementPositions(): ElementPositions {
  const counted = new Map<ParentNode, Siblings>();
  const find = ({ parent }: Element) => {
    const known = parent && counted.get(parent);
    if (known) return known;
    const found = countSiblings(parent);
    if (parent) counted.set(parent, found);
    return found;
  };
  return {
    previous: (element) => find(element).positions.get(element)?.previous ?? null,
    index(element, isFromEnd, isOfType) {
      const { positions, counts } = find(element);
      const position = positions.get(element);
      const index = (isOfType ? position?.indexOfType : position?.index) ?? 1;
      return isFromEnd ? (counts.get(isOfType ? element.name : "") ?? 1) - index + 1 : index;
    },
  };
}

function countSiblings(parent: ParentNode | null): Siblings {
  const positions = new Map<Element, Position>();
  const counts = new Map<string, number>();
  const count = (name: string) => {
    const next = (counts.get(name) ?? 0) + 1;
    counts.set(name, next);
    return next;
  };
  let previous: Element | null = null;
  for (const child of parent?.children ?? []) {
    if (!isTag(child)) continue;
    positions.set(child, { previous, index: count(""), indexOfType: count(child.name) });
    previous = child;
  }
  return { positions, counts };
}
