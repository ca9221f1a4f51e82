/** Email to the account owner about an order that waits for an answer. */
import type { OrderQuestion } from "../../../generated/prisma/client.ts";
import { PURPOSES, type QuestionPurpose } from "../worker-protocol/question.ts";
import type { QuestionDeps } from "./deps.ts";

/**
 * Queues the notice, once per question. It contains no text of the merchant. A failure is logged and does not affect the
 * question, which the order page and subscriptions show.
 */
export async function notifyOfQuestion(
  { db, site, queueEmail, logger }: QuestionDeps,
  { id, accountId, orderId, purpose, expiresAt }: OrderQuestion,
): Promise<void> {
  try {
    const account = await db.prisma.account.findUnique({ where: { id: accountId }, select: { email: true } });
    if (!account?.email) return;
    const { text } = PURPOSES[purpose as QuestionPurpose];
    const minutes = Math.max(1, Math.round((expiresAt.getTime() - Date.now()) / 60_000));
    await queueEmail({
      to: account.email,
      subject: "An order needs your answer",
      text: `${text}\n\nA checkout waits for the answer for ${minutes} minutes. Without it, the order ends and your card is not charged. Answer on the order's page:\n\n${site.browserUrl()}/orders/${orderId}\n\nSatchel never asks for card data, passwords, bank codes or identity numbers.\n`,
      idempotencyKey: `question:${id}`,
    });
  } catch (error) {
    logger.error({ err: error, question: id }, "The notice of a question was not queued");
  }
}
