/** Whether PostgreSQL can keep the text: well-formed Unicode without NUL, which neither `text` nor `jsonb` takes. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
