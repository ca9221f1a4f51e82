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
import { createResult } from "./result.ts";

export interface PendingApproval {
  readonly id: string;
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

/** Returns a request to open the page, if the client declared that and has not opened it yet, or else the tool's own result. */
export async function createApprovalResult(
  { approval: { url, message }, result }: ApprovalRequired,
  context: ServerContext,
  createState: () => Promise<string>,
): Promise<CallToolResult | InputRequiredResult> {
  if (!canOpenUrl(context) || inputResponse(context.mcpReq.inputResponses, INPUT).kind !== "missing") {
    return createResult(result);
  }
  const inputRequests = { [INPUT]: inputRequired.elicitUrl({ message, url }) };
  return inputRequired({ inputRequests, requestState: await createState() });
}

/** Returns whether the client declared URL-mode elicitation with this request. Before revision 2026-07-28 requests declare nothing. */
function canOpenUrl({ mcpReq }: ServerContext): boolean {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, { elicitation?: { url?: object } } | undefined>>;
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
  return elicitation?.url !== undefined;
}
