/** The answer to an order's question, by the account owner or, if it is harmless, by the caller that placed the order. */
import type { OrderQuestion } from "../../../generated/prisma/client.ts";
import { type Decider, requireDecider, undecidedWhere } from "../../accounts/decisions/decider.ts";
import { holdOpen } from "../../accounts/freeze/freeze-state.ts";
import { type AccountViewer, requesterIdOf, requireAccount, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, NotFoundError, ServiceError } from "../../platform/errors.ts";
import type { PubSub } from "../../platform/pubsub/pubsub.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { publishOrder } from "../orders/order-events.ts";
import { PURPOSES, type Question, type QuestionPurpose } from "../worker-protocol/question.ts";
import { readAnswer } from "./read-answer.ts";

/** The question was answered earlier, has expired, or its order has ended. Nothing changed. */
export class QuestionClosedError extends ServiceError {
  readonly code = "invalid_transition";
  constructor() {
    super("This question was already answered or has expired, or its order has ended. The answer was not used.");
  }
}

interface AnswerDeps {
  readonly db: Database;
  readonly pubsub: PubSub;
}

/** Returns who may answer questions of a purpose. An unknown purpose is the owner's. */
export function deciderOf(purpose: string): Decider {
  return PURPOSES[purpose as QuestionPurpose]?.isHarmless ? "requester" : "owner";
}

/**
 * Answers a question once; the first answer counts. The order continues with it.
 * @throws {NotFoundError | ForbiddenError | InvalidRequestError | QuestionClosedError}
 * @throws {AccountFrozenError | ServiceFrozenError} the account or the service is frozen
 */
export async function answerQuestion(
  { db, pubsub }: AnswerDeps,
  viewer: Viewer | null,
  input: { readonly questionId: string; readonly answer: string },
): Promise<OrderQuestion> {
  const { accountId } = requireAccount(viewer);
  const question = await db.prisma.orderQuestion.findFirst({
    where: { id: input.questionId, accountId },
    include: { order: { select: { credentialId: true } } },
  });
  if (!question) throw new NotFoundError("There is no such question.");
  const decider = requireDecider(viewer, deciderOf(question.purpose));
  const isOwner = decider.credentialKind === "session";
  if (!isOwner && !(await isRequester(db, decider, question.order))) {
    throw new ForbiddenError("Only the account owner and the caller that placed the order may answer this question.");
  }
  const answer = readAnswer(toQuestion(question), input.answer);
  const { id, orderId } = question;
  const answered = await db.prisma.$transaction(async (tx) => {
    await holdOpen(tx, accountId);
    // The order first, as when a question is asked, so that the two cannot deadlock.
    const now = new Date();
    const continued = await tx.checkoutOrder.updateMany({
      where: {
        ...{ id: orderId, status: "dispatched", cardReleasedAt: null, leasedUntil: { gt: now } },
        questions: { some: { id, ...undecidedWhere("open", now) } },
      },
      data: { personNeededFor: null, personNeededUntil: null, updatedAt: now },
    });
    if (continued.count === 0) return null;
    const [row] = await tx.orderQuestion.updateManyAndReturn({
      where: { id, ...undecidedWhere("open", now) },
      data: {
        ...{ status: "answered", openSlot: null, answer, endedAt: now },
        ...{ answeredBy: isOwner ? "owner" : "requester", answeredById: requesterIdOf(decider) },
      },
    });
    if (!row) throw new QuestionClosedError();
    return row;
  }, LONG_TRANSACTION);
  if (!answered) throw new QuestionClosedError();
  publishOrder(pubsub, { accountId, id: orderId });
  return answered;
}

/** Returns whether the viewer acts for the API token or grant that placed the order. */
async function isRequester(
  db: Database,
  viewer: AccountViewer,
  { credentialId }: { readonly credentialId: string },
): Promise<boolean> {
  const requesterId = requesterIdOf(viewer);
  if (credentialId === requesterId) return true;
  if (viewer.credentialKind !== "access_token") return false;
  const token = await db.prisma.oAuthToken.findFirst({
    where: { id: credentialId, grantId: requesterId },
    select: { id: true },
  });
  return token !== null;
}

/** Returns a stored question in the form in which the worker asked it. */
export function toQuestion(row: OrderQuestion): Question {
  const { purpose, kind, merchantText, choices, minLength, maxLength, earliest, latest } = row;
  return {
    ...{ purpose: purpose as QuestionPurpose, kind: kind as Question["kind"], merchantText },
    ...{ choices: choices as Question["choices"], minLength, maxLength, earliest, latest },
  };
}
