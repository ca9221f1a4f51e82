import type { Redactor } from "./evidence/redact.ts";

const LONGEST = 300;

/** What may be logged of an error: the browser's own errors go on to quote pages, headers, and what was typed. */
export function safeReason(error: unknown, redactor?: Redactor): string {
  if (!(error instanceof Error)) return "unknown";
  const firstLine = error.message.split("\n", 1)[0]?.slice(0, LONGEST) ?? "";
  return `${error.name}: ${redactor?.clean(firstLine).text ?? firstLine}`;
}
