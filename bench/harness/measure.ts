/** Interleaved rounds: what disturbs the machine for a while disturbs every subject. */
import type { Comparison, Floor, OpenBench, Subject } from "./bench.ts";
import { refreshStatistics } from "./postgresql.ts";

export interface Measured {
  readonly subject: string;
  /** Median of the rounds. */
  readonly perSecond: number;
  readonly rounds: readonly number[];
  /** Median CPU time of the subject's process for one, in microseconds. */
  readonly cpuMicrosEach: number;
}

/** What a figure is held against. */
export interface Judged {
  readonly subject: string;
  /** The other subject; null when the aim is a number a second. */
  readonly against: string | null;
  readonly value: number;
  readonly aim: number | null;
  readonly isMet: boolean | null;
}

const WARM_UP_MS = 1_000;
/**
 * A program is warm once this many warm-ups in a row did not bring down what one costs by a fiftieth: a small one after a few
 * seconds, a large one when the last of what it uses is compiled.
 */
const WARM_UPS_WITHOUT_GAIN = 3;
const GAIN = 0.98;
const MAX_WARM_UPS = 20;

/** @param report is told after each round, for a person who waits. */
export async function measure(
  { subjects, comparisons, floors = [] }: OpenBench,
  { rounds, durationMs, report }: { rounds: number; durationMs: number; report: (text: string) => void },
): Promise<{ measured: Measured[]; judged: Judged[] }> {
  const taken = new Map(subjects.map(({ name }) => [name, [] as Round[]]));
  for (const subject of subjects) {
    report(`warming up ${subject.name}`);
    await warmUp(subject);
  }
  await refreshStatistics();
  for (let round = 1; round <= rounds; round++) {
    // There and back, so that none always follows the same other, whose writes may still be on their way to the disk.
    for (const subject of round % 2 === 1 ? subjects : subjects.toReversed()) {
      report(`round ${round} of ${rounds}: ${subject.name}`);
      taken.get(subject.name)?.push(await takeRound(subject, subject.durationMs ?? durationMs));
    }
  }
  const measured = [...taken].map(([subject, each]) => ({
    subject,
    perSecond: median(each.map(({ perSecond }) => perSecond)),
    rounds: each.map(({ perSecond }) => Math.round(perSecond)),
    cpuMicrosEach: median(each.map(({ cpuMicrosEach }) => cpuMicrosEach)),
  }));
  const rates = (name: string) => (taken.get(name) ?? []).map(({ perSecond }) => perSecond);
  return {
    measured,
    judged: [...comparisons.map((one) => compare(one, rates)), ...floors.map((floor) => holdUp(floor, rates))],
  };
}

async function warmUp(subject: Subject): Promise<void> {
  // One that says how long it runs takes too long for more.
  if (subject.durationMs !== undefined) return void (await subject.run(WARM_UP_MS));
  let leastMicros = Number.POSITIVE_INFINITY;
  let withoutGain = 0;
  for (let count = 1; count <= MAX_WARM_UPS && withoutGain < WARM_UPS_WITHOUT_GAIN; count++) {
    const { cpuMicrosEach } = await takeRound(subject, WARM_UP_MS);
    withoutGain = cpuMicrosEach < leastMicros * GAIN ? 0 : withoutGain + 1;
    leastMicros = Math.min(leastMicros, cpuMicrosEach);
  }
}

interface Round {
  readonly perSecond: number;
  readonly cpuMicrosEach: number;
}

async function takeRound(subject: Subject, durationMs: number): Promise<Round> {
  const cpuBefore = await subject.process.cpuMicros();
  const startedMs = performance.now();
  const perSecond = await subject.run(durationMs);
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuMicros = (await subject.process.cpuMicros()) - cpuBefore;
  return { perSecond, cpuMicrosEach: cpuMicros / (perSecond * seconds) };
}

/** The median of the rounds' ratios: a machine that gets slower does so for both of a round. */
function compare({ subject, against, aim }: Comparison, rates: (name: string) => number[]): Judged {
  const others = rates(against);
  const value = median(rates(subject).map((rate, round) => rate / (others[round] ?? Number.NaN)));
  return { subject, against, value, aim: aim ?? null, isMet: aim === undefined ? null : value >= aim };
}

function holdUp({ subject, perSecond }: Floor, rates: (name: string) => number[]): Judged {
  const value = median(rates(subject));
  return { subject, against: null, value, aim: perSecond, isMet: value >= perSecond };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
