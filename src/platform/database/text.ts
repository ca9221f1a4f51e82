import type { Condition } from "./list-page.ts";

/** Returns true if PostgreSQL can store the text: well-formed Unicode without NUL, which `text` and `jsonb` reject. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Converts third-party text into text that PostgreSQL can store: replaces lone surrogates, removes NUL. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

const escapeWildcards = (text: string) => text.trim().replaceAll(/[\\%_]/g, "\\$&");

/** Prisma condition for a case-insensitive substring match. Escapes the wildcards of LIKE. */
export function containsFilter(text: string) {
  return { contains: escapeWildcards(text), mode: "insensitive" } as const;
}

/** As `containsFilter`, as a condition of a list. @param column SQL of the column */
export function matchText(column: string, text: string): Condition {
  return { sql: `${column} ILIKE ?::text`, values: [`%${escapeWildcards(text)}%`] };
}
