import type { Payer } from "../../src/wallet/payers.ts";
import { builder } from "../builder.ts";

const PayerKindEnum = builder.enumType("PayerKind", {
  description: "What kind of credential paid.",
  values: {
    API_TOKEN: { value: "api_token", description: "An API token." },
    APPLICATION: { value: "application", description: "An application that the person connected." },
    PERSON: { value: "person", description: "The person, signed in." },
  },
});

export const PayerType = builder.objectRef<Payer>("Payer").implement({
  description: "Whose credential paid.",
  fields: (t) => ({
    kind: t.field({ type: PayerKindEnum, description: "What kind it is.", resolve: ({ kind }) => kind }),
    name: t.exposeString("name", {
      nullable: true,
      description: "The API token's or the application's name, also once it was revoked; null for the person.",
    }),
    isOneTime: t.exposeBoolean("isOneTime", {
      description: "Whether it paid by a one-time purchase token that it made.",
    }),
  }),
});
