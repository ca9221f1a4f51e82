/** Results of rules and selectors that can depend on the reader's client. */

/** Null: the result depends on the client, or is unknown. */
export type Match = boolean | null;

export const not = (match: Match): Match => (match === null ? null : !match);
export const both = (one: Match, other: Match): Match =>
  one === false || other === false ? false : one === null || other === null ? null : true;
export const either = (one: Match, other: Match): Match => not(both(not(one), not(other)));
export const all = (matches: readonly Match[]): Match => matches.reduce(both, true);
export const any = (matches: readonly Match[]): Match => matches.reduce(either, false);
