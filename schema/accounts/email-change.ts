/** Mutations that change or add the account's email address. */
import type { Account } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { completeEmailChange, startEmailChange } from "../../src/accounts/sign-in/email-change.ts";
import { InvalidCodeError } from "../../src/accounts/sign-in/email-codes.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { requireVisitor, setBrowserCookie } from "../visitor.ts";
import { AccountNode } from "./accounts.ts";
import { CODE_ERRORS } from "./sign-in.ts";

const StartEmailChangeInput = builder.inputType("StartEmailChangeInput", {
  description: "The new email address of the account.",
  fields: (t) => ({
    email: t.string({
      required: true,
      validate: StorableText,
      description: "The new email address, which receives the code.",
    }),
  }),
});

const StartEmailChangeSuccess = builder
  .objectRef<{ readonly attemptId: string; readonly expiresAt: Date }>("StartEmailChangeSuccess")
  .implement({
    description: "A code was sent to the new address.",
    fields: (t) => ({
      attemptId: t.exposeID("attemptId", { description: "The id of the attempt, to send with the code." }),
      expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the code expires." }),
    }),
  });

builder.mutationField("startEmailChange", (t) =>
  t.field({
    type: StartEmailChangeSuccess,
    description: "Sends a code to the new email address. Requires a session with a sign-in in the last 10 minutes.",
    errors: {
      types: [...CODE_ERRORS, ReauthenticationRequiredError],
      union: { name: "StartEmailChangeResult", description: "The attempt or an error." },
    },
    args: { input: t.arg({ type: StartEmailChangeInput, required: true, description: "The new address." }) },
    resolve: async (_root, { input }, context) =>
      setBrowserCookie(context, await startEmailChange(context.deps, requireVisitor(context), input)),
  }),
);

const CompleteEmailChangeInput = builder.inputType("CompleteEmailChangeInput", {
  description: "The code from the email.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The id of the attempt that sent the code." }),
    code: t.string({ required: true, description: "The six-digit code." }),
  }),
});

const CompleteEmailChangeSuccess = builder
  .objectRef<{ readonly account: Account }>("CompleteEmailChangeSuccess")
  .implement({
    description: "The account's email address was replaced.",
    fields: (t) => ({ account: t.expose("account", { type: AccountNode, description: "The updated account." }) }),
  });

builder.mutationField("completeEmailChange", (t) =>
  t.field({
    type: CompleteEmailChangeSuccess,
    description:
      "Replaces the account's email address with the one that received the code. An email notifies the previous address.",
    errors: {
      types: [...BOUNDED_ERRORS, InvalidCodeError],
      union: { name: "CompleteEmailChangeResult", description: "The updated account or an error." },
    },
    args: { input: t.arg({ type: CompleteEmailChangeInput, required: true, description: "The code." }) },
    resolve: async (_root, { input }, context) => ({
      account: await completeEmailChange(context.deps, requireVisitor(context), input),
    }),
  }),
);
