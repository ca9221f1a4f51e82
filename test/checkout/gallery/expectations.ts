/** The recorded result of each checkout, and what a run changed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "./classify.ts";
import type { CaseResult } from "./run.ts";

const FILE = join(import.meta.dirname, "expected.json");
/** From worst to best. */
const RANKS: readonly Result[] = ["wrong", "unknown", "stopped", "paid"];

export type Counts = Readonly<Record<Result, number>>;

export interface Expectations {
  /** Result by name of the checkout, and of the fault. */
  readonly results: Readonly<Record<string, Result>>;
  /** Held-back shapes are counted only, because a driver must not be written for them. */
  readonly heldBack: Counts;
}

export function readExpectations(): Expectations {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

/** Records the results of a run. @param isComplete whether the run had all checkouts; only then held-back shapes are counted */
export function writeExpectations(results: readonly CaseResult[], isComplete: boolean): void {
  const before = readExpectations();
  const ran = results.filter(({ isHeldBack }) => !isHeldBack).map(({ name, result }) => [name, result] as const);
  // A complete run also removes checkouts that no longer exist.
  const entries = [...new Map([...(isComplete ? [] : Object.entries(before.results)), ...ran])];
  const recorded: Expectations = {
    results: Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1))),
    heldBack: isComplete ? countResults(results.filter(({ isHeldBack }) => isHeldBack)) : before.heldBack,
  };
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
}

export function countResults(results: readonly Pick<CaseResult, "result">[]): Counts {
  const counts = { paid: 0, stopped: 0, unknown: 0, wrong: 0 };
  for (const { result } of results) counts[result] += 1;
  return counts;
}

/** Returns one sentence per checkout whose result differs from the recorded one, regressions first. */
export function compareResults(expected: Expectations, results: readonly CaseResult[]): string[] {
  const regressions: string[] = [];
  const improvements: string[] = [];
  for (const { name, result, reason } of results.filter(({ isHeldBack }) => !isHeldBack)) {
    const recorded = expected.results[name];
    if (recorded === result) continue;
    const isWorse = recorded !== undefined && RANKS.indexOf(result) < RANKS.indexOf(recorded);
    const text = `${name}: ${recorded ?? "not recorded"}, now ${result} (${reason})`;
    (isWorse ? regressions : improvements).push(text);
  }
  return [
    ...regressions.map((text) => `Regression. ${text}`),
    ...improvements.map((text) => `Not recorded. ${text}. Record it with GALLERY_UPDATE=1 npm run gallery.`),
  ];
}
