/** Answers of a buyer to the questions of an order: as the agent where it may, else as the account owner. */
import type { Stack } from "../../support/stack.ts";
import type { Buyer } from "../dispatch/buyer.ts";

interface Question {
  readonly id: string;
  readonly kind: "text" | "choice" | "yes_no" | "date";
  readonly choices: readonly { readonly id: string }[];
  readonly max_length: number;
  readonly may_agent_answer: boolean;
}

const ANSWER = `mutation ($input: AnswerOrderQuestionInput!) { answerOrderQuestion(input: $input) { __typename } }`;

/** Answers an order's open question with a plausible value. */
export async function answerQuestion(stack: Stack, buyer: Buyer, question: Question): Promise<void> {
  const answer = plausibleAnswer(question);
  if (question.may_agent_answer) {
    await stack.rest(buyer.token, "POST", `/api/autofill/questions/${question.id}/answer`, { answer });
  } else {
    await buyer.visitor.graphql(ANSWER, { input: { id: question.id, answer } });
  }
}

function plausibleAnswer({ kind, choices, max_length }: Question): string {
  switch (kind) {
    case "choice":
      return choices.at(-1)?.id ?? "";
    case "yes_no":
      return "yes";
    case "date":
      return "1990-12-10";
    case "text":
      return "12".slice(0, max_length);
  }
}
