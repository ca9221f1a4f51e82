/** Where events come from: rows of other domains that move. Each kind of row is one entry, given by the composition root. */
import type { EventType } from "./event-types.ts";

/** What every source's SQL selects, beside what its `dataOf` reads. */
export interface SourceRow {
  readonly account_id: string;
  /** The row that moved: what announcements name. */
  readonly row_id: string;
  /** What the event happened to: with its type, once and never again. */
  readonly subject_id: string;
  readonly type: EventType;
  readonly occurred_at: Date;
  readonly updated_at: Date;
}

export interface EventSource {
  /** Names its statements. */
  readonly name: string;
  /** Announcements on `<channel>:<account id>` carry ids of its rows. */
  readonly channel: string;
  /**
   * Selects one row for each event that its table tells of by now, in a form that PostgreSQL can push conditions on
   * `account_id`, `updated_at` and `row_id` into: no grouping, no ordering, no limit.
   */
  readonly sql: string;
  /** What the event says: JSON, and no secret in it. */
  dataOf(row: SourceRow): object;
}

/** Checks what a source's SQL and `dataOf` have in common, and forgets it. */
export function defineSource<Row extends SourceRow>(
  source: Omit<EventSource, "dataOf"> & { dataOf(row: Row): object },
): EventSource {
  return source as unknown as EventSource;
}
