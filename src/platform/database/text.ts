/** Whether PostgreSQL can keep the text: well-formed Unicode without NUL, which neither `text` nor `jsonb` takes. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The text as PostgreSQL can keep it, for what others write and nobody here can mend. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The condition that a text holds `text`, in letters of any case. What LIKE takes for a pattern is meant as it stands. */
export function containsFilter(text: string) {
  return { contains: text.trim().replaceAll(/[\\%_]/g, "\\$&"), mode: "insensitive" } as const;
}
