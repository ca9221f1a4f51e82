import { createLoginToken } from "../../src/accounts/login-token.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";

const CreateLoginTokenSuccess = builder
  .objectRef<{ readonly token: string; readonly expiresAt: Date }>("CreateLoginTokenSuccess")
  .implement({
    description: "The login identity token was created.",
    fields: (t) => ({
      token: t.exposeString("token", { description: "The JWT to send as `Authorization: Bearer`." }),
      expiresAt: t.expose("expiresAt", {
        type: "DateTime",
        description: "Timestamp when the token expires. It becomes invalid earlier if the session ends.",
      }),
    }),
  });

builder.mutationField("createLoginToken", (t) =>
  t.field({
    type: CreateLoginTokenSuccess,
    description:
      "Creates a login identity token, which is valid for 5 minutes and creates purchase tokens over REST. Requires a session.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "CreateLoginTokenResult", description: "The token or an error." },
    },
    resolve: (_root, _args, { deps, viewer }) => createLoginToken(deps, viewer),
  }),
);
