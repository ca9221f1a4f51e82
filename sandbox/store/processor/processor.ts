import { randomBytes } from "node:crypto";
import type { Table } from "../table.ts";
import { behaviourOf, type CardBehaviour, digitsOf, type TypedCard } from "./cards.ts";

/** A card token. No other card data is stored. */
export interface CardToken {
  id: string;
  last4: string;
  behaviour: CardBehaviour;
}

/** A payment with a 3-D Secure challenge. */
export interface BankChallenge {
  id: string;
  /** Origin of the store that waits for the result. */
  shopUrl: string;
  storeTitle: string;
  amount: string;
  last4: string;
  state: "open" | "confirmed" | "refused";
  wrongCodes: number;
  /** Whether the bank never responds to the cardholder's reply. */
  isSilent: boolean;
}

export type Authorization =
  | { outcome: "taken"; last4: string }
  | { outcome: "declined" }
  | { outcome: "unknown-token" }
  | { outcome: "asks-owner"; paymentId: string };

/** The payment processor of all stores. */
export interface Processor {
  tokenise(card: TypedCard): CardToken;
  /** @param force behaviour that overrides the card's own */
  authorize(
    tokenId: string,
    payment: Pick<BankChallenge, "shopUrl" | "storeTitle" | "amount" | "isSilent">,
    force?: CardBehaviour,
  ): Authorization;
  challenge(paymentId: string): BankChallenge | undefined;
  /** Records the cardholder's reply to a challenge. */
  respond(paymentId: string, respond: { code: string } | "cancel"): BankChallenge | undefined;
  /** URL of the challenge, for a frame in the store's page. */
  challengeUrl(paymentId: string): string;
  /** URL of the card fields. */
  frameUrl: () => string;
}

/** The code that is valid for every challenge. */
const CORRECT_CODE = "1234";
const MAX_WRONG_CODES = 3;

export function createProcessor(
  tokens: Table<CardToken>,
  challenges: Table<BankChallenge>,
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
      challenges.put({ id, ...payment, last4: token.last4, state: "open", wrongCodes: 0 });
      return { outcome: "asks-owner", paymentId: id };
    },
    challenge: (paymentId) => challenges.get(paymentId),
    respond(paymentId, respond) {
      const challenge = challenges.get(paymentId);
      if (challenge?.state !== "open" || challenge.isSilent) return challenge;
      const isCorrect = respond !== "cancel" && respond.code.trim() === CORRECT_CODE;
      const wrongCodes = challenge.wrongCodes + (respond === "cancel" || isCorrect ? 0 : 1);
      const isRefused = respond === "cancel" || wrongCodes >= MAX_WRONG_CODES;
      const updated: BankChallenge = {
        ...challenge,
        wrongCodes,
        state: isCorrect ? "confirmed" : isRefused ? "refused" : "open",
      };
      challenges.put(updated);
      return updated;
    },
    challengeUrl: (paymentId) => `${urls.issuer()}/challenge/${paymentId}`,
    frameUrl: () => `${urls.processor()}/card`,
  };
}
