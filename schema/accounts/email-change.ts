/** Giving the account another e-mail address, or its first. */
import type { Account } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { completeEmailChange, startEmailChange } from "../../src/accounts/sign-in/email-change.ts";
import { InvalidCodeError } from "../../src/accounts/sign-in/email-codes.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { keepBrowser, visitorOf } from "../visitor.ts";
import { AccountNode } from "./accounts.ts";
import { CODE_ERRORS } from "./sign-in.ts";

const StartEmailChangeInput = builder.inputType("StartEmailChangeInput", {
  description: "The address the account is to have.",
  fields: (t) => ({
    email: t.string({ required: true, validate: StorableText, description: "The code is sent to it." }),
  }),
});

const StartEmailChangeSuccess = builder
  .objectRef<{ readonly attemptId: string; readonly expiresAt: Date }>("StartEmailChangeSuccess")
  .implement({
    description: "A code was sent to the new address.",
    fields: (t) => ({
      attemptId: t.exposeID("attemptId", { description: "Names the attempt; goes with the code." }),
      expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when the code is good." }),
    }),
  });

builder.mutationField("startEmailChange", (t) =>
  t.field({
    type: StartEmailChangeSuccess,
    description: "Sends a code to the address the account is to have. The last proof may be at most 10 minutes old.",
    errors: {
      types: [...CODE_ERRORS, ReauthenticationRequiredError],
      union: { name: "StartEmailChangeResult", description: "That a code was sent, or why none was." },
    },
    args: { input: t.arg({ type: StartEmailChangeInput, required: true, description: "The address." }) },
    resolve: async (_root, { input }, context) =>
      keepBrowser(context, await startEmailChange(context.deps, visitorOf(context), input)),
  }),
);

const CompleteEmailChangeInput = builder.inputType("CompleteEmailChangeInput", {
  description: "The code that was sent.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The attempt it was sent for." }),
    code: t.string({ required: true, description: "The six digits." }),
  }),
});

const CompleteEmailChangeSuccess = builder
  .objectRef<{ readonly account: Account }>("CompleteEmailChangeSuccess")
  .implement({
    description: "The account has the address, and no other.",
    fields: (t) => ({ account: t.expose("account", { type: AccountNode, description: "The account as it now is." }) }),
  });

builder.mutationField("completeEmailChange", (t) =>
  t.field({
    type: CompleteEmailChangeSuccess,
    description: "Gives the account the address the code was sent to. The one it had is told.",
    errors: {
      types: [...BOUNDED_ERRORS, InvalidCodeError],
      union: { name: "CompleteEmailChangeResult", description: "The account, or why its address stays." },
    },
    args: { input: t.arg({ type: CompleteEmailChangeInput, required: true, description: "The code." }) },
    resolve: async (_root, { input }, context) => ({
      account: await completeEmailChange(context.deps, visitorOf(context), input),
    }),
  }),
);
