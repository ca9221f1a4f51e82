/**
 * Calls that wait for the owner's approval. The client opens the page of the approval where it can (URL-mode elicitation, revision
 * 2026-07-28), and repeats the call with a state. Otherwise the result names the page. Opening the page is no approval: the tool
 * checks the stored decision, and the page demands the owner of the same account.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Handles, HandleTerms } from "./handles.ts";

export interface PendingApproval {
  readonly id: string;
  /** The owner's page. */
  readonly url: string;
  readonly expiresAt: string;
  /** What waits for the decision, for the owner: "An order of 25.00 EUR at Books waits for your approval." */
  readonly message: string;
}

/** Thrown by a tool with an `approval_id` argument, when the owner must decide first. */
export class ApprovalRequired extends Error {
  readonly approval: PendingApproval;
  constructor(approval: PendingApproval) {
    super(approval.message);
    this.approval = approval;
  }
}

const STATE_SECONDS = 3_600;
const INPUT = "approval";

export interface ApprovalStates {
  create(tool: string, input: object, approvalId: string): Promise<string>;
  /**
   * Returns the id of the approval, once for each state.
   * @throws {Error} if the state has other terms, has expired, or was used before
   */
  consume(state: string, tool: string, input: object): Promise<string>;
}

/** @param claimOnce returns false if the key was claimed before; stored in the database */
export function createApprovalStates(handles: Handles, claimOnce: (key: string) => Promise<boolean>): ApprovalStates {
  const termsOf = (tool: string, input: object, approvalId: string): HandleTerms => ({
    tool: `${tool} request-state`,
    arguments: [input, approvalId],
    field: "requestState",
  });
  return {
    async create(tool, input, approvalId) {
      const handle = await handles.create(termsOf(tool, input, approvalId), null, STATE_SECONDS);
      return `${approvalId}.${handle}`;
    },
    async consume(state, tool, input) {
      const [approvalId = "", handle = ""] = state.split(".", 2);
      const { idempotencyKey } = await handles.open(handle, termsOf(tool, input, approvalId));
      if (!(await claimOnce(idempotencyKey))) throw new Error("The state was used before.");
      return approvalId;
    },
  };
}

/**
 * Returns the result of a call that waits. It is a request to open the page, if the client declared that and has not opened it yet.
 * Otherwise it is an error result, which clients of every revision show.
 */
export async function createApprovalResult(
  { approval }: ApprovalRequired,
  context: ServerContext,
  createState: () => Promise<string>,
): Promise<CallToolResult | InputRequiredResult> {
  const { id, url, expiresAt, message } = approval;
  if (canOpenUrl(context) && inputResponse(context.mcpReq.inputResponses, INPUT).kind === "missing") {
    const inputRequests = { [INPUT]: inputRequired.elicitUrl({ message, url }) };
    return inputRequired({ inputRequests, requestState: await createState() });
  }
  const error = {
    code: "approval_required",
    message,
    money: "No payment was made.",
    approval_id: id,
    url,
    expires_at: expiresAt,
    next_step:
      "Give the url to the owner. Call get_request_status with approval_id until it is approved, then repeat this call with the same arguments and approval_id.",
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error }) }] };
}

/** Returns whether the client declared URL-mode elicitation with this request. Before revision 2026-07-28 requests declare nothing. */
function canOpenUrl({ mcpReq }: ServerContext): boolean {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, { elicitation?: { url?: object } } | undefined>>;
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
  return elicitation?.url !== undefined;
}
