/** The CSS cascade (CSS Cascading Level 4, section 6.4) for one element, without layout. */
import type { Element } from "domhandler";
import { type Declaration, isCertain, parseStyleAttribute } from "./declarations.ts";
import { both } from "./match.ts";
import { getPresentationalHints } from "./presentational-hints.ts";
import type { StyleRule, StyleRules } from "./style-rules.ts";

/**
 * One way in which a reader's client can resolve the rules that depend on it. `none`: they do not apply. `all`: they apply.
 * `hiding`: of them, only declarations that hide apply.
 */
export type Doubt = "none" | "all" | "hiding";

/** The declarations that win, by property. */
export type Winners = ReadonlyMap<string, string>;

interface Ranked {
  readonly declaration: Declaration;
  readonly rank: number;
}

const INLINE_RANK = 1e13;
const IMPORTANT_RANK = 1e15;
/** Above the order of the last rule. */
const ORDERS = 1e6;

/** All declarations for an element, in ascending precedence. */
export interface ElementDeclarations {
  readonly rules: readonly StyleRule[];
  readonly hints: readonly Declaration[];
  readonly inline: readonly Declaration[];
  /** Rules of its `::before` and of its `::after`, without those that have none. */
  readonly generated: readonly (readonly StyleRule[])[];
}

/** Collects the declarations that can apply to an element. */
export function collectDeclarations(element: Element, rules: StyleRules): ElementDeclarations {
  const style = element.attribs["style"];
  return {
    rules: testRules(rules.candidates(element), element),
    hints: getPresentationalHints(element),
    inline: style === undefined ? [] : parseStyleAttribute(style),
    generated: ["before", "after"]
      .map((box) => testRules(rules.generatedCandidates(element, box), element))
      .filter((found) => found.length > 0),
  };
}

function testRules(candidates: readonly StyleRule[], element: Element): StyleRule[] {
  return candidates.flatMap((rule) => {
    const match = rule.matches(element);
    if (match === false) return [];
    return [match ? rule : { ...rule, applies: rule.applies.map((one) => both(one, null)) }];
  });
}

/** A way in which the document can be displayed. */
export interface World {
  readonly widthIndex: number;
  readonly doubt: Doubt;
  /** Whether the browser ignores declarations that some browsers do not know. */
  readonly isStrict: boolean;
}

/** Returns the winning declarations. */
export function cascade(
  { rules, hints, inline }: Omit<ElementDeclarations, "generated">,
  { widthIndex, doubt, isStrict }: World,
  hides: (declaration: Declaration) => boolean,
): Winners {
  const ranked: Ranked[] = hints.map((declaration) => ({ declaration, rank: 0 }));
  for (const { specificity, order, declarations, applies } of rules) {
    const match = applies[widthIndex];
    if (match === false || (match === null && doubt === "none")) continue;
    for (const declaration of declarations) {
      if (match === null && doubt === "hiding" && !hides(declaration)) continue;
      ranked.push({ declaration, rank: rankOf(declaration, 1 + specificity * ORDERS + order) });
    }
  }
  for (const declaration of inline) ranked.push({ declaration, rank: rankOf(declaration, INLINE_RANK) });
  // The sort is stable: of equal ranks, the last one wins.
  ranked.sort((one, other) => one.rank - other.rank);
  const winners = new Map<string, string>();
  for (const { declaration } of ranked) {
    if (isStrict && declaration.isDoubtful) continue;
    if (isCertain(declaration) || !winners.has(declaration.property) || hides(declaration))
      winners.set(declaration.property, declaration.value);
  }
  return winners;
}

function rankOf({ isImportant }: Declaration, rank: number): number {
  return isImportant ? rank + IMPORTANT_RANK : rank;
}
