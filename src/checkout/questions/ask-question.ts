/** Asking of a question by the worker of an order, and waiting for the answer. */
import { setTimeout as after } from "node:timers/promises";
import { Prisma } from "../../../generated/prisma/client.ts";
import { findFreeze, holdOpen } from "../../accounts/freeze/freeze-state.ts";
import { AccountFrozenError, ServiceFrozenError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { LONG_TRANSACTION, type OrderDeps } from "../orders/deps.ts";
import { endFrozenOrder } from "../orders/end-frozen-order.ts";
import { LeaseLostError } from "../orders/leases.ts";
import { publishOrder } from "../orders/order-events.ts";
import { type AnswerState, isNeverAsked, type Question } from "../worker-protocol/question.ts";
import { closeQuestion } from "./close-question.ts";
import type { QuestionDeps } from "./deps.ts";
import { notifyOfQuestion } from "./notify-owner.ts";
import { waitedFor } from "./question-period.ts";

/** The question must not be asked. Nothing was stored; the order continues without an answer. */
export class QuestionRefusedError extends Error {
  override readonly name = "QuestionRefusedError";
}

export interface AskedQuestion {
  readonly id: string;
  readonly expiresInMs: number;
}

/** Well above the fields of any checkout. */
const MAX_QUESTIONS = 20;
/** Less time is not enough for an answer. */
const MIN_WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 500;

interface AskingOrder {
  readonly id: string;
  readonly accountId: string;
  readonly mayAsk: boolean;
  readonly leftMs: number;
}

/**
 * Stores a question and shows it to the account owner. A repeated call returns the same question, so a worker may retry.
 * @throws {QuestionRefusedError} what it asks is never asked, the card was already released, or the waiting time is used up
 * @throws {LeaseLostError} also if the account is frozen, which ends the order
 */
export async function askQuestion(deps: QuestionDeps, lease: string, question: Question): Promise<AskedQuestion> {
  if (isNeverAsked(question)) throw new QuestionRefusedError("The merchant's text requests what is never asked.");
  const { db, pubsub } = deps;
  const asked = await db.prisma
    .$transaction(async (tx) => {
      const [order] = await tx.$queryRaw<AskingOrder[]>`
        SELECT id, account_id AS "accountId", kind = 'purchase' AND card_released_at IS NULL AND submitted_at IS NULL AS "mayAsk",
          (${deps.questionMs}::float8 - 1000 * extract(epoch FROM ${Prisma.raw(waitedFor("checkout_orders"))}))::float8 AS "leftMs"
        FROM checkout_orders WHERE worker_job_id = ${lease} AND status = 'dispatched' AND leased_until > now() FOR UPDATE`;
      if (!order) throw new LeaseLostError();
      await holdOpen(tx, order.accountId);
      return { order, ...(await storeQuestion(tx, order, question)) };
    }, LONG_TRANSACTION)
    .catch(endIfFrozen(deps, lease));
  const { order, row, isNew } = asked;
  if (isNew) {
    publishOrder(pubsub, order);
    await notifyOfQuestion(deps, row);
  }
  return { id: row.id, expiresInMs: Math.max(0, row.expiresAt.getTime() - Date.now()) };
}

async function storeQuestion(tx: Prisma.TransactionClient, order: AskingOrder, question: Question) {
  const { id: orderId, accountId, mayAsk, leftMs } = order;
  const open = await tx.orderQuestion.findUnique({ where: { openSlot: orderId } });
  if (open && open.expiresAt.getTime() > Date.now()) {
    const isSame = open.purpose === question.purpose && open.merchantText === question.merchantText;
    if (!isSame) throw new QuestionRefusedError("The order already has an open question.");
    return { row: open, isNew: false };
  }
  if (!mayAsk) throw new QuestionRefusedError("Questions are asked only before the card is released.");
  if (leftMs < MIN_WAIT_MS) throw new QuestionRefusedError("The order has waited for answers for the maximum time.");
  if ((await tx.orderQuestion.count({ where: { orderId } })) >= MAX_QUESTIONS) {
    throw new QuestionRefusedError("The order has the maximum number of questions.");
  }
  if (open) await closeQuestion(tx, orderId);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + leftMs);
  const row = await tx.orderQuestion.create({
    data: {
      ...{ ...question, choices: question.choices as Prisma.InputJsonArray },
      ...{ id: newId("qst"), orderId, accountId, openSlot: orderId, status: "open", expiresAt, createdAt: now },
    },
  });
  const waiting = { personNeededFor: "question", personNeededUntil: expiresAt, updatedAt: now };
  await tx.checkoutOrder.updateMany({ where: { id: orderId }, data: waiting });
  return { row, isNew: true };
}

/**
 * Waits for the answer, at most `waitMs`. An expired question is closed.
 * @throws {LeaseLostError} the lease has no such question. Also if the account is frozen, which ends the order.
 */
export async function awaitAnswer(
  deps: QuestionDeps,
  lease: string,
  input: { readonly questionId: string; readonly waitMs: number },
  isCancelled: () => boolean = () => false,
): Promise<AnswerState> {
  const untilMs = Date.now() + input.waitMs;
  for (;;) {
    const state = await readAnswerState(deps, lease, input.questionId);
    if (state.status !== "open" || isCancelled() || Date.now() + POLL_INTERVAL_MS > untilMs) return state;
    await after(POLL_INTERVAL_MS);
  }
}

async function readAnswerState(deps: QuestionDeps, lease: string, questionId: string): Promise<AnswerState> {
  const { db, pubsub } = deps;
  const question = await db.prisma.orderQuestion.findFirst({
    where: { id: questionId, order: { workerJobId: lease, status: "dispatched", leasedUntil: { gt: new Date() } } },
    include: { order: { select: { id: true, accountId: true } } },
  });
  if (!question) throw new LeaseLostError();
  const { status, answer, expiresAt, order } = question;
  if (status === "answered" && answer !== null) return { status: "answered", answer };
  if (status !== "open") return { status: "expired" };
  if (expiresAt.getTime() <= Date.now()) {
    await db.prisma.$transaction(async (tx) => {
      await tx.checkoutOrder.updateMany({
        where: { id: order.id, personNeededFor: "question" },
        data: { personNeededFor: null, personNeededUntil: null, updatedAt: new Date() },
      });
      await closeQuestion(tx, order.id);
    }, LONG_TRANSACTION);
    publishOrder(pubsub, order);
    // An answer may have been committed between the two reads.
    return await readAnswerState(deps, lease, questionId);
  }
  if ((await findFreeze(db, order.accountId)) !== null) {
    await endFrozenOrder(deps, lease);
    throw new LeaseLostError();
  }
  return { status: "open" };
}

/** Ends the order of a frozen account and reports the lease as lost. */
function endIfFrozen(deps: OrderDeps, lease: string) {
  return async (error: unknown): Promise<never> => {
    if (!(error instanceof AccountFrozenError) && !(error instanceof ServiceFrozenError)) throw error;
    await endFrozenOrder(deps, lease);
    throw new LeaseLostError();
  };
}
