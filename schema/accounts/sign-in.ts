/** Signing in: by which ways, and by a one-time code. */
import { InvalidCodeError } from "../../src/accounts/sign-in/email-codes.ts";
import { completeEmailSignIn, startEmailSignIn } from "../../src/accounts/sign-in/email-sign-in.ts";
import { relyingPartyOf } from "../../src/accounts/sign-in/relying-party.ts";
import type { AccountViewer } from "../../src/accounts/viewer.ts";
import { MailFailedError, MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import "./sign-in-errors.ts";
import { StorableText } from "../text.ts";
import { enter, keepBrowser, visitorOf } from "../visitor.ts";
import { ViewerType } from "./viewer.ts";

const UpstreamProviderType = builder
  .objectRef<{ readonly name: string; readonly startUrl: string }>("UpstreamProvider")
  .implement({
    description: "An OpenID provider through which people may sign in.",
    fields: (t) => ({
      name: t.exposeString("name", { description: "What it is called." }),
      startUrl: t.exposeString("startUrl", {
        description: "The path to send the browser to; `?return_to=` names a path of this site to come back to.",
      }),
    }),
  });

interface Methods {
  readonly emailCode: boolean;
  readonly passkey: boolean;
  readonly upstream: { readonly name: string; readonly startUrl: string } | null;
  readonly sandboxMailUrl: string | null;
}

const SignInMethodsType = builder.objectRef<Methods>("SignInMethods").implement({
  description: "The ways in that are open at this installation.",
  fields: (t) => ({
    emailCode: t.exposeBoolean("emailCode", { description: "A one-time code by e-mail." }),
    passkey: t.exposeBoolean("passkey", { description: "A passkey." }),
    upstream: t.expose("upstream", {
      type: UpstreamProviderType,
      nullable: true,
      description: "An OpenID provider; null when none is configured.",
    }),
    sandboxMailUrl: t.exposeString("sandboxMailUrl", {
      nullable: true,
      description:
        "The page where a sandbox shows the letters it was sent, the codes among them; `?to=` names an address. Null outside of one.",
    }),
  }),
});

builder.queryField("signInMethods", (t) =>
  t.field({
    type: SignInMethodsType,
    description: "How a person may sign in here. Anyone may ask.",
    resolve: (_root, _args, { deps: { mailer, site, upstream, sandboxMailUrl } }) => ({
      emailCode: mailer.isConfigured,
      passkey: relyingPartyOf(site) !== null,
      upstream: upstream && { name: upstream.name, startUrl: "/auth/upstream/start" },
      sandboxMailUrl,
    }),
  }),
);

export interface SignedIn {
  readonly viewer: AccountViewer;
  readonly isNewAccount: boolean;
  readonly returnTo: string | null;
}

export const SignInSuccess = builder.objectRef<SignedIn>("SignInSuccess").implement({
  description: "The browser is signed in: the answer sets its session's cookie.",
  fields: (t) => ({
    viewer: t.expose("viewer", { type: ViewerType, description: "Whoever is signed in now." }),
    isNewAccount: t.exposeBoolean("isNewAccount", { description: "Whether the account was opened just now." }),
    returnTo: t.exposeString("returnTo", {
      nullable: true,
      description: "The path of this site the person wanted to go to; null when none was named.",
    }),
  }),
});

export const CODE_ERRORS = [...BOUNDED_ERRORS, MailNotConfiguredError, MailFailedError];

const StartEmailSignInInput = builder.inputType("StartEmailSignInInput", {
  description: "Who wants to sign in.",
  fields: (t) => ({
    email: t.string({ required: true, validate: StorableText, description: "The address the code is sent to." }),
    returnTo: t.string({ description: "A path of this site to go to afterwards; anything else is ignored." }),
  }),
});

const StartEmailSignInSuccess = builder
  .objectRef<{ readonly attemptId: string; readonly expiresAt: Date }>("StartEmailSignInSuccess")
  .implement({
    description: "A code was sent. The same whether there is an account with the address or not.",
    fields: (t) => ({
      attemptId: t.exposeID("attemptId", { description: "Names the attempt; goes with the code." }),
      expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when the code is good." }),
    }),
  });

builder.mutationField("startEmailSignIn", (t) =>
  t.field({
    type: StartEmailSignInSuccess,
    description: "Sends a one-time code to an e-mail address, to sign in with, or to open an account with.",
    errors: {
      types: CODE_ERRORS,
      union: { name: "StartEmailSignInResult", description: "That a code was sent, or why none was." },
    },
    args: { input: t.arg({ type: StartEmailSignInInput, required: true, description: "Who." }) },
    resolve: async (_root, { input }, context) => {
      const wanted = { email: input.email, returnTo: input.returnTo ?? null };
      return keepBrowser(context, await startEmailSignIn(context.deps, visitorOf(context), wanted));
    },
  }),
);

const CompleteEmailSignInInput = builder.inputType("CompleteEmailSignInInput", {
  description: "The code that was sent.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The attempt it was sent for." }),
    code: t.string({ required: true, description: "The six digits." }),
  }),
});

builder.mutationField("completeEmailSignIn", (t) =>
  t.field({
    type: SignInSuccess,
    description:
      "Signs in with the code, in the browser that asked for it; opens an account when nobody has the address. Five wrong tries end the attempt. For somebody signed in it renews their proof.",
    errors: {
      types: [...BOUNDED_ERRORS, InvalidCodeError],
      union: { name: "CompleteEmailSignInResult", description: "Who is signed in, or why nobody is." },
    },
    args: { input: t.arg({ type: CompleteEmailSignInInput, required: true, description: "The code." }) },
    resolve: async (_root, { input }, context) =>
      enter(context, await completeEmailSignIn(context.deps, visitorOf(context), input)),
  }),
);
