/** Questions of a checkout that only the owner can answer, on the order's page. */
import type { OrderNeedsFragment } from "../generated/graphql.ts";

/** A question on which an order waits. */
export interface OwnerQuestion {
  /** Null for a question that is answered in the live view. */
  readonly id: string | null;
  readonly kind: "question" | "security_code" | "three_d_secure" | "other";
  /** What the owner must do, in the service's words. */
  readonly text: string;
  /** The order's page. */
  readonly url: string;
  readonly expiresAt: string | null;
}

/** Returns the question on which an order waits; null if it waits for none. */
export function findOwnerQuestion({ question, orderUrl: url }: OrderNeedsFragment): OwnerQuestion | null {
  if (!question) return null;
  const base = { id: null, url, expiresAt: question.expiresAt };
  switch (question.__typename) {
    case "OrderQuestion":
      return { ...base, id: question.questionId, kind: "question", text: question.text };
    case "SecurityCodeQuestion":
      return { ...base, kind: "security_code", text: "The checkout requires the security code of the card." };
    case "ThreeDSecureQuestion":
      return { ...base, kind: "three_d_secure", text: "The bank of the card requires a confirmation (3-D Secure)." };
    default:
      return { ...base, kind: "other", text: "The checkout requires the owner." };
  }
}
