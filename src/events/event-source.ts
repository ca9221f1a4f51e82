/** Sources of events: rows of other domains that change. The composition root defines one source per kind of row. */
import type { EventData } from "./event-data.ts";
import type { EventType } from "./event-types.ts";

/** Columns that every source's SQL selects, in addition to those its `dataOf` reads. */
export interface SourceRow {
  readonly account_id: string;
  /** Id of the changed row, which is the payload of announcements. */
  readonly row_id: string;
  /** Id of the event's subject. At most one event exists per subject and type. */
  readonly subject_id: string;
  readonly type: EventType;
  readonly occurred_at: Date;
  readonly updated_at: Date;
}

export interface EventSource {
  /** Suffix of the source's statement names. */
  readonly name: string;
  /** Prefix of the pub/sub channel `<channel>:<account id>`, whose payloads are row ids. */
  readonly channel: string;
  /**
   * Query that selects one row for each event that its table implies. PostgreSQL must be able to push conditions on
   * `account_id`, `updated_at` and `row_id` into it: no grouping, ordering or limit.
   */
  readonly sql: string;
  /** Returns the event's data without secrets. */
  dataOf(row: SourceRow): EventData;
}

/** Defines a source. The types of its rows and of their data are checked against `dataOf` and then erased. */
export function defineSource<Row extends SourceRow, Data extends EventData>(
  source: Omit<EventSource, "dataOf"> & { dataOf(row: Row): Data },
): EventSource {
  return source as unknown as EventSource;
}
