/** What came of a letter that was to be sent. */
import type { Failure } from "../../graphql/match-result.ts";

const QUEUED =
  "The mail server did not take the letter now. It is kept, and tried again by itself for three days: do not send it again.";

type Refusal = Failure | { readonly __typename: string };

/** Whether it is kept and tried again: to a person that is as good as sent. */
export function isQueued(refusal: Refusal): boolean {
  return "isQueued" in refusal && refusal.isQueued === true;
}

/** What to say of it in passing. */
export function sentText(refusal: Refusal | null, to: string): string {
  return refusal && isQueued(refusal) ? QUEUED : `Sent to ${to}.`;
}

/** Addresses as they are typed: apart by commas, semicolons or white space. */
export function readAddresses(typed: string): string[] {
  return typed.split(/[\s,;]+/u).filter((address) => address !== "");
}
