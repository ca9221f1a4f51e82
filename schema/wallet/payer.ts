import type { Payer } from "../../src/wallet/payers.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";

const PayerKindEnum = wireEnum("PayerKind", "The kind of credential that made a payment.", {
  api_token: "An API token.",
  application: "An application that the account owner connected.",
  person: "The account owner, in a signed-in session.",
});

export const PayerType = builder.objectRef<Payer>("Payer").implement({
  description: "The credential that made a payment.",
  fields: (t) => ({
    kind: t.field({ type: PayerKindEnum, description: "The kind of credential.", resolve: ({ kind }) => kind }),
    name: t.exposeString("name", {
      nullable: true,
      description: "The name of the API token or application, including revoked ones. Null for the account owner.",
    }),
    isOneTime: t.exposeBoolean("isOneTime", {
      description: "Whether the payment used a one-time purchase token that the credential created.",
    }),
  }),
});
