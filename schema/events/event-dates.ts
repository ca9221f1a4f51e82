/** Times in the data of events, which are ISO 8601 texts. */

export const toDate = (time: string) => new Date(time);
export const toDateOrNull = (time: string | null | undefined) => (time ? new Date(time) : null);
