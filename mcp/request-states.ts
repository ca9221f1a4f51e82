/**
 * `requestState` of calls that wait for input (revision 2026-07-28). The client repeats the call with it. It is signed, bound to the
 * caller, the tool and the arguments, expires, and is consumed once in the database.
 */
import type { Handles, HandleTerms } from "./handles.ts";

const LIFETIME_SECONDS = 3_600;

/** What a call waits for, and what earlier rounds of it collected. */
export interface RequestState {
  readonly awaits: "approval" | "confirmation";
  /** What the form stated. The words are the owner's only while the statement is the same. */
  readonly statement?: string;
  /** The owner's words from a form of the client. */
  readonly confirmation?: string;
}

export interface RequestStates {
  create(tool: string, input: object, state: RequestState): Promise<string>;
  /**
   * Returns what the state was created with, once for each state.
   * @throws {Error} if the state has other terms, has expired, or was used before
   */
  consume(text: string, tool: string, input: object): Promise<RequestState>;
}

/** @param claimOnce returns false if the key was claimed before; stored in the database */
export function createRequestStates(handles: Handles, claimOnce: (key: string) => Promise<boolean>): RequestStates {
  const termsOf = (tool: string, input: object, state: string): HandleTerms => ({
    tool: `${tool} request-state`,
    arguments: [input, state],
    field: "requestState",
  });
  return {
    async create(tool, input, state) {
      const encoded = Buffer.from(JSON.stringify(state)).toString("base64url");
      const handle = await handles.create(termsOf(tool, input, encoded), null, LIFETIME_SECONDS);
      return `${encoded}.${handle}`;
    },
    async consume(text, tool, input) {
      const [encoded = "", handle = ""] = text.split(".", 2);
      const { idempotencyKey } = await handles.open(handle, termsOf(tool, input, encoded));
      if (!(await claimOnce(idempotencyKey))) throw new Error("The state was used before.");
      return JSON.parse(Buffer.from(encoded, "base64url").toString()) as RequestState;
    },
  };
}
