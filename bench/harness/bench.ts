import type { Child } from "./child.ts";

/** One of the programs compared. */
export interface Subject {
  readonly name: string;
  /** The process whose CPU time is counted: the program itself, never the load generator. */
  readonly process: Child;
  /** Runs it for about `durationMs` and answers how many it did a second. */
  run(durationMs: number): Promise<number>;
  /** For programs so slow, or so exact, that another length of a round is right. */
  readonly durationMs?: number;
}

/** `subject` ÷ `against`, and what it should be at least; without an aim it is there for information. */
export interface Comparison {
  readonly subject: string;
  readonly against: string;
  readonly aim?: number;
}

/** `subject` by itself should do at least this many a second. */
export interface Floor {
  readonly subject: string;
  readonly perSecond: number;
}

/** A bench that has been set up: servers run, databases are filled. */
export interface OpenBench {
  readonly subjects: readonly Subject[];
  readonly comparisons: readonly Comparison[];
  readonly floors?: readonly Floor[];
  /** What was left out, and why. */
  readonly skipped?: readonly string[];
  /** What else was found out, in words; asked once all is measured. */
  notes?(): readonly string[];
  /** Ends every process and drops every database it made. */
  close(): Promise<void>;
}

export interface BenchEnvironment {
  /** A PostgreSQL server on which databases may be made, or null. */
  readonly postgresqlUrl: string | null;
}

export interface Bench {
  readonly name: string;
  /** One line for the table. */
  readonly title: string;
  /** What one of `perSecond` is. */
  readonly unit: string;
  readonly needsPostgresql: boolean;
  open(environment: BenchEnvironment): Promise<OpenBench>;
}
