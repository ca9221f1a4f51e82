/** Questions of an order to the cardholder during the checkout. Each kind is a type, so that new kinds only add types. */
import type { CheckoutOrder } from "../../generated/prisma/client.ts";
import type { NeededFor } from "../../src/checkout/worker-protocol/live-messages.ts";
import { builder } from "../builder.ts";

type Kind = NonNullable<NeededFor>;

interface Question {
  readonly kind: Kind;
  readonly expiresAt: Date | null;
}

const TYPES: Readonly<Record<Kind, string>> = {
  three_d_secure: "ThreeDSecureQuestion",
  security_code: "SecurityCodeQuestion",
};

export const OrderQuestionInterface = builder.interfaceRef<Question>("CheckoutQuestion").implement({
  description:
    "A question to the cardholder, who must respond in the live view before the order continues. Kinds may be added: open the order page for an unknown one.",
  resolveType: ({ kind }) => TYPES[kind],
  fields: (t) => ({
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp until which the order waits for the response; null if unknown.",
    }),
  }),
});

builder.objectRef<Question>(TYPES.three_d_secure).implement({
  description: "The card's bank requires 3-D Secure authentication.",
  interfaces: [OrderQuestionInterface],
});

builder.objectRef<Question>(TYPES.security_code).implement({
  description: "The checkout requires the card's security code, which this service does not store.",
  interfaces: [OrderQuestionInterface],
});

/** Returns the current question of the order; null if there is none. */
export function findQuestion({ personNeededFor, personNeededUntil }: CheckoutOrder): Question | null {
  return personNeededFor === null ? null : { kind: personNeededFor as Kind, expiresAt: personNeededUntil };
}
