/**
 * The owner's confirmation of a purchase, by a form of the client (form-mode elicitation, revision 2026-07-28). A model cannot fill the
 * form in: the client sends its content with a state of this service. No form requests a card, a security code or another secret.
 */
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { readElicitation } from "./elicitation.ts";
import type { RequestState } from "./request-states.ts";
import { ToolError } from "./tool-error.ts";

const INPUT = "confirmation";
const MAX_WORDS = 2_000;

/** The form. Its content arrives from the client and is validated. */
const Form = z.object({
  confirm: z.boolean().meta({ title: "Confirm" }),
  words: z.string().max(MAX_WORDS).optional().meta({ title: "In your own words (optional)" }),
});

/** Thrown by a tool when the client must show the form first. The message is the statement to confirm. */
export class ConfirmationRequired extends Error {}

/**
 * Returns the owner's words, or the statement that the owner confirmed without words. Null if the client has no forms.
 * @param describe returns what is confirmed: "Order 2 items for at most 12.50 GBP …"
 * @throws {ConfirmationRequired} if the client has not shown the form yet, or showed another statement
 * @throws {ToolError} if the owner did not confirm
 */
export async function readConfirmation(
  describe: () => Promise<string>,
  context: ServerContext,
  state: RequestState | undefined,
): Promise<string | null> {
  if (state?.confirmation !== undefined) return state.confirmation;
  if (!readElicitation(context).hasForms) return null;
  const response = inputResponse(context.mcpReq.inputResponses, INPUT);
  const statement = await describe();
  const isShown = state?.awaits === "confirmation" && state.statement === statement;
  if (!isShown || response.kind === "missing") throw new ConfirmationRequired(statement);
  const form = response.kind === "elicit" && response.action === "accept" ? Form.safeParse(response.content) : null;
  if (form?.data?.confirm !== true) {
    throw new ToolError({
      code: "forbidden",
      message: "The owner did not confirm. This call did nothing. Do not repeat it unless the owner requests it.",
    });
  }
  return form.data.words?.trim() || `${statement} Confirmed in a form.`;
}

/** Returns the request to show the form. */
export async function createConfirmationRequest(
  { message: statement }: ConfirmationRequired,
  createState: () => Promise<string>,
): Promise<InputRequiredResult> {
  const inputRequests = { [INPUT]: inputRequired.elicit({ message: statement, requestedSchema: Form }) };
  return inputRequired({ inputRequests, requestState: await createState() });
}
