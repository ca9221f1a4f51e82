/** Cursors of connections: the id of a row with the mark of the sort order, so that a cursor works in one order only. */

/** Mark of a list's own order. */
export const OWN_ORDER = "S";

const PATTERN = /^GPC:([A-Z_]{1,100}):([\x21-\x7e]{1,1400})$/;

export function encodeCursor(id: string, orderMark: string): string {
  return Buffer.from(`GPC:${orderMark}:${id}`).toString("base64");
}

/** Returns the id of a cursor's row. The field's arguments have been validated. */
export function decodeCursor(cursor: string): string {
  const [, , id = ""] = parse(cursor) ?? [];
  return id;
}

/** Returns the mark of a cursor's order; null for text that is no cursor. */
export function findOrderMark(cursor: string): string | null {
  return parse(cursor)?.[1] ?? null;
}

function parse(cursor: string): RegExpExecArray | null {
  return PATTERN.exec(Buffer.from(cursor, "base64").toString("latin1"));
}
