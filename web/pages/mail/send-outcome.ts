/** Outcome of sending an email, and parsing of recipient lists. */
import type { Failure } from "../../graphql/match-result.ts";

const QUEUED = "The mail server did not accept the email. Satchel retries for three days. Do not send it again.";

type SendFailure = Failure | { readonly __typename: string };

/** Returns true if the email is queued for a retry. The page then treats it as sent. */
export function isQueued(failure: SendFailure): boolean {
  return "isQueued" in failure && failure.isQueued === true;
}

/** Returns the toast text after an email was sent or queued. */
export function sentText(failure: SendFailure | null, to: string): string {
  return failure && isQueued(failure) ? QUEUED : `Sent to ${to}.`;
}

/** Splits a recipient list at commas, semicolons and white space. */
export function readAddresses(typed: string): string[] {
  return typed.split(/[\s,;]+/u).filter((address) => address !== "");
}
