import { ServiceError } from "../../platform/errors.ts";

const NOT_PAID = "No payment was made.";
const OUTSTANDING =
  "The payment sent with it settles if the server redeems it, and is released once it expires. The same call presents it again.";

/** The server refused the call, or refused its payment. `transactionId` is the payment presented, null if there was none. */
export class ToolCallFailedError extends ServiceError {
  readonly code = "tool_call_failed";
  readonly transactionId: string | null;
  constructor(reason: string, transactionId: string | null) {
    super(`${reason} ${transactionId === null ? NOT_PAID : OUTSTANDING}`);
    this.transactionId = transactionId;
  }
}
