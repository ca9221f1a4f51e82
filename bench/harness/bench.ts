import type { Child } from "./child.ts";

/** A measured program. */
export interface Subject {
  readonly name: string;
  /** Process whose CPU time is measured: the program itself, never the load generator. */
  readonly process: Child;
  /** Runs the program for about `durationMs`. @returns operations per second */
  run(durationMs: number): Promise<number>;
  /** Duration of a round, for programs that need another one than the default. */
  readonly durationMs?: number;
}

/** Ratio `subject` ÷ `against`, and its lowest acceptable value. Without an aim, the ratio is only printed. */
export interface Comparison {
  readonly subject: string;
  readonly against: string;
  readonly aim?: number;
}

/** Lowest acceptable rate of `subject`, without a baseline. */
export interface Floor {
  readonly subject: string;
  readonly perSecond: number;
}

/** A benchmark after its set-up: the servers run and the databases are filled. */
export interface OpenBench {
  readonly subjects: readonly Subject[];
  readonly comparisons: readonly Comparison[];
  readonly floors?: readonly Floor[];
  /** Omitted programs, each with the reason. */
  readonly skipped?: readonly string[];
  /** Returns additional results as text. Called after the last round. */
  notes?(): readonly string[];
  /** Stops every process and drops every database of the benchmark. */
  close(): Promise<void>;
}

export interface BenchEnvironment {
  /** URL of a PostgreSQL server that allows CREATE DATABASE, or null. */
  readonly postgresqlUrl: string | null;
}

export interface Bench {
  readonly name: string;
  /** One-line description in the table. */
  readonly title: string;
  /** Unit of `perSecond`. */
  readonly unit: string;
  readonly needsPostgresql: boolean;
  open(environment: BenchEnvironment): Promise<OpenBench>;
}
