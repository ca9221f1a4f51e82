import { randomBytes } from "node:crypto";
import type { Table } from "../table.ts";
import { behaviourOf, type CardBehaviour, digitsOf, type TypedCard } from "./cards.ts";

/** Stands for a card; of the card itself nothing else is kept. */
export interface CardToken {
  id: string;
  last4: string;
  behaviour: CardBehaviour;
}

/** A payment whose bank asks the card's owner (3-D Secure). */
export interface BankQuestion {
  id: string;
  /** Origin of the shop that waits for the answer. */
  shopUrl: string;
  shopTitle: string;
  amount: string;
  last4: string;
  state: "open" | "confirmed" | "refused";
  wrongCodes: number;
  /** The bank falls silent once it was answered. */
  isSilent: boolean;
}

export type Authorization =
  | { outcome: "taken"; last4: string }
  | { outcome: "declined" }
  | { outcome: "unknown-token" }
  | { outcome: "asks-owner"; paymentId: string };

/** Takes cards for all shops. */
export interface Processor {
  tokenise(card: TypedCard): CardToken;
  /** @param force what this card shall do, whatever its number says */
  authorize(
    tokenId: string,
    payment: Pick<BankQuestion, "shopUrl" | "shopTitle" | "amount" | "isSilent">,
    force?: CardBehaviour,
  ): Authorization;
  question(paymentId: string): BankQuestion | undefined;
  /** Notes what the owner answered. */
  answer(paymentId: string, answer: { code: string } | "cancel"): BankQuestion | undefined;
  /** Where the bank asks; in a frame of the shop's page. */
  questionUrl(paymentId: string): string;
  /** Where the fields for a card are. */
  frameUrl: () => string;
}

/** What the owner's telephone shows, in every case. */
const RIGHT_CODE = "1234";
const MOST_WRONG_CODES = 3;

export function createProcessor(
  tokens: Table<CardToken>,
  questions: Table<BankQuestion>,
  urls: { processor: () => string; issuer: () => string },
): Processor {
  return {
    tokenise(card) {
      const digits = digitsOf(card);
      const token = {
        id: `tok_${randomBytes(15).toString("base64url")}`,
        last4: digits.slice(-4),
        behaviour: behaviourOf(digits),
      };
      tokens.put(token);
      return token;
    },
    authorize(tokenId, payment, force) {
      const token = tokens.get(tokenId);
      if (!token) return { outcome: "unknown-token" };
      const behaviour = force ?? token.behaviour;
      if (behaviour === "declined") return { outcome: "declined" };
      if (behaviour === "taken") return { outcome: "taken", last4: token.last4 };
      const id = `pay_${randomBytes(15).toString("base64url")}`;
      questions.put({ id, ...payment, last4: token.last4, state: "open", wrongCodes: 0 });
      return { outcome: "asks-owner", paymentId: id };
    },
    question: (paymentId) => questions.get(paymentId),
    answer(paymentId, answer) {
      const question = questions.get(paymentId);
      if (question?.state !== "open" || question.isSilent) return question;
      const isRight = answer !== "cancel" && answer.code.trim() === RIGHT_CODE;
      const wrongCodes = question.wrongCodes + (answer === "cancel" || isRight ? 0 : 1);
      const isRefused = answer === "cancel" || wrongCodes >= MOST_WRONG_CODES;
      const answered: BankQuestion = {
        ...question,
        wrongCodes,
        state: isRight ? "confirmed" : isRefused ? "refused" : "open",
      };
      questions.put(answered);
      return answered;
    },
    questionUrl: (paymentId) => `${urls.issuer()}/challenge/${paymentId}`,
    frameUrl: () => `${urls.processor()}/card`,
  };
}
