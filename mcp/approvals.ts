/**
 * Calls that wait for the owner's approval. The client opens the page of the approval where it can (URL-mode elicitation, revision
 * 2026-07-28), and repeats the call with a state. Otherwise the result names the page. Opening the page is no approval: the tool
 * checks the stored decision, and the page demands the owner of the same account.
 */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { readElicitation } from "./elicitation.ts";
import { createResult } from "./result.ts";

export interface PendingApproval {
  /** The owner's page. */
  readonly url: string;
  /** What waits for the decision, for the owner: "The order is above the limit of one order." */
  readonly message: string;
}

/**
 * Thrown by a tool when the owner must decide first. The client repeats the call with the same arguments, and the tool reads the stored
 * decision.
 */
export class ApprovalRequired extends Error {
  readonly approval: PendingApproval;
  /** The result for clients that cannot open a page; it names the page. */
  readonly result: object;
  constructor(approval: PendingApproval, result: object) {
    super(approval.message);
    this.approval = approval;
    this.result = result;
  }
}

const INPUT = "approval";

/** Returns a request to open the page, if the client declared that and has not opened it yet, or else the tool's own result. */
export async function createApprovalResult(
  { approval: { url, message }, result }: ApprovalRequired,
  context: ServerContext,
  createState: () => Promise<string>,
): Promise<CallToolResult | InputRequiredResult> {
  const hasOpened = inputResponse(context.mcpReq.inputResponses, INPUT).kind !== "missing";
  if (!readElicitation(context).hasUrls || hasOpened) return createResult(result);
  const inputRequests = { [INPUT]: inputRequired.elicitUrl({ message, url }) };
  return inputRequired({ inputRequests, requestState: await createState() });
}
