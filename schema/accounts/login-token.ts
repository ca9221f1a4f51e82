import { createLoginToken } from "../../src/accounts/login-token.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";

const CreateLoginTokenSuccess = builder
  .objectRef<{ readonly token: string; readonly expiresAt: Date }>("CreateLoginTokenSuccess")
  .implement({
    description: "A login identity token was made.",
    fields: (t) => ({
      token: t.exposeString("token", { description: "A JWT, sent as `Authorization: Bearer`." }),
      expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When it ends; sooner if the session does." }),
    }),
  });

builder.mutationField("createLoginToken", (t) =>
  t.field({
    type: CreateLoginTokenSuccess,
    description:
      "A login identity token, good for 5 minutes, with which purchase tokens are made over REST. Only for a person who is signed in.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "CreateLoginTokenResult", description: "The token, or why there is none." },
    },
    resolve: (_root, _args, { deps, viewer }) => createLoginToken(deps, viewer),
  }),
);
