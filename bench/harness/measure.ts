/** Measurement in interleaved rounds. A temporary disturbance of the machine affects every program. */
import type { Comparison, Floor, OpenBench, Subject } from "./bench.ts";
import { refreshStatistics } from "./postgresql.ts";

export interface Measurement {
  readonly subject: string;
  /** Median of the rounds. */
  readonly perSecond: number;
  readonly rounds: readonly number[];
  /** Median CPU time of the process per operation, in microseconds. */
  readonly cpuMicrosEach: number;
}

/** Result of a comparison or of a floor. */
export interface Verdict {
  readonly subject: string;
  /** The baseline, or null if the aim is a rate per second. */
  readonly against: string | null;
  readonly value: number;
  readonly aim: number | null;
  readonly isMet: boolean | null;
}

const WARM_UP_MS = 1_000;
/**
 * A program is warm when this many consecutive warm-ups did not reduce the CPU time per operation by 2 %. Small programs are warm
 * after a few seconds, large ones when all their code is compiled.
 */
const WARM_UPS_WITHOUT_GAIN = 3;
const GAIN_FACTOR = 0.98;
const MAX_WARM_UPS = 20;

/** Warms up and measures every program. @param report called with the progress before each warm-up and each round */
export async function measure(
  { subjects, comparisons, floors = [] }: OpenBench,
  { rounds, durationMs, report }: { rounds: number; durationMs: number; report: (text: string) => void },
): Promise<{ measured: Measurement[]; judged: Verdict[] }> {
  const roundsBySubject = new Map(subjects.map(({ name }) => [name, [] as Round[]]));
  for (const subject of subjects) {
    report(`warming up ${subject.name}`);
    await warmUp(subject);
  }
  await refreshStatistics();
  for (let round = 1; round <= rounds; round++) {
    // Alternating order: no program always follows the same one, whose writes may still be in flight to the disk.
    for (const subject of round % 2 === 1 ? subjects : subjects.toReversed()) {
      report(`round ${round} of ${rounds}: ${subject.name}`);
      roundsBySubject.get(subject.name)?.push(await runRound(subject, subject.durationMs ?? durationMs));
    }
  }
  const measured = [...roundsBySubject].map(([subject, each]) => ({
    subject,
    perSecond: median(each.map(({ perSecond }) => perSecond)),
    rounds: each.map(({ perSecond }) => Math.round(perSecond)),
    cpuMicrosEach: median(each.map(({ cpuMicrosEach }) => cpuMicrosEach)),
  }));
  const rates = (name: string) => (roundsBySubject.get(name) ?? []).map(({ perSecond }) => perSecond);
  return {
    measured,
    judged: [
      ...comparisons.map((comparison) => compare(comparison, rates)),
      ...floors.map((floor) => compareWithFloor(floor, rates)),
    ],
  };
}

async function warmUp(subject: Subject): Promise<void> {
  // A program with its own duration is too slow for more than one warm-up.
  if (subject.durationMs !== undefined) return void (await subject.run(WARM_UP_MS));
  let lowestMicros = Number.POSITIVE_INFINITY;
  let withoutGain = 0;
  for (let count = 1; count <= MAX_WARM_UPS && withoutGain < WARM_UPS_WITHOUT_GAIN; count++) {
    const { cpuMicrosEach } = await runRound(subject, WARM_UP_MS);
    withoutGain = cpuMicrosEach < lowestMicros * GAIN_FACTOR ? 0 : withoutGain + 1;
    lowestMicros = Math.min(lowestMicros, cpuMicrosEach);
  }
}

interface Round {
  readonly perSecond: number;
  readonly cpuMicrosEach: number;
}

async function runRound(subject: Subject, durationMs: number): Promise<Round> {
  const cpuBefore = await subject.process.cpuMicros();
  const startedMs = performance.now();
  const perSecond = await subject.run(durationMs);
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuMicros = (await subject.process.cpuMicros()) - cpuBefore;
  return { perSecond, cpuMicrosEach: cpuMicros / (perSecond * seconds) };
}

/** Returns the median ratio of the rounds. A change of the machine's speed affects both programs of a round. */
function compare({ subject, against, aim }: Comparison, rates: (name: string) => number[]): Verdict {
  const baselineRates = rates(against);
  const value = median(rates(subject).map((rate, round) => rate / (baselineRates[round] ?? Number.NaN)));
  return { subject, against, value, aim: aim ?? null, isMet: aim === undefined ? null : value >= aim };
}

function compareWithFloor({ subject, perSecond }: Floor, rates: (name: string) => number[]): Verdict {
  const value = median(rates(subject));
  return { subject, against: null, value, aim: perSecond, isMet: value >= perSecond };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
