/** Sign-in methods, and sign-in with a one-time code. */
import { InvalidCodeError } from "../../src/accounts/sign-in/email-codes.ts";
import { completeEmailSignIn, startEmailSignIn } from "../../src/accounts/sign-in/email-sign-in.ts";
import { findRelyingParty } from "../../src/accounts/sign-in/relying-party.ts";
import type { AccountViewer } from "../../src/accounts/viewer.ts";
import { MailFailedError, MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import "./sign-in-errors.ts";
import { StorableText } from "../text.ts";
import { requireVisitor, setBrowserCookie, setSessionCookie } from "../visitor.ts";
import { ViewerType } from "./viewer.ts";

const UpstreamProviderType = builder
  .objectRef<{ readonly name: string; readonly startUrl: string }>("UpstreamProvider")
  .implement({
    description: "An OpenID provider for sign-in.",
    fields: (t) => ({
      name: t.exposeString("name", { description: "The name of the provider." }),
      startUrl: t.exposeString("startUrl", {
        description:
          "The path that starts the sign-in. `?return_to=` sets a path of this site for the redirect afterwards.",
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
  description: "The sign-in methods of this installation.",
  fields: (t) => ({
    emailCode: t.exposeBoolean("emailCode", {
      description: "Whether sign-in with a one-time code by email is available.",
    }),
    passkey: t.exposeBoolean("passkey", { description: "Whether sign-in with a passkey is available." }),
    upstream: t.expose("upstream", {
      type: UpstreamProviderType,
      nullable: true,
      description: "The OpenID provider. Null if none is configured.",
    }),
    sandboxMailUrl: t.expose("sandboxMailUrl", {
      type: "Url",
      nullable: true,
      description:
        "The page where the sandbox shows received emails, including sign-in codes. `?to=` filters by address. Null outside the sandbox.",
    }),
  }),
});

builder.queryField("signInMethods", (t) =>
  t.field({
    type: SignInMethodsType,
    description: "The available sign-in methods. Requires no credential.",
    resolve: (_root, _args, { deps: { mailer, site, upstream, sandboxMailUrl } }) => ({
      emailCode: mailer.isConfigured,
      passkey: findRelyingParty(site) !== null,
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
  description: "The browser is signed in. The response sets the session cookie.",
  fields: (t) => ({
    viewer: t.expose("viewer", { type: ViewerType, description: "The signed-in viewer." }),
    isNewAccount: t.exposeBoolean("isNewAccount", { description: "Whether the sign-in created the account." }),
    returnTo: t.exposeString("returnTo", {
      nullable: true,
      description: "The path of this site for the redirect. Null if none was given.",
    }),
  }),
});

export const CODE_ERRORS = [...BOUNDED_ERRORS, MailNotConfiguredError, MailFailedError];

const StartEmailSignInInput = builder.inputType("StartEmailSignInInput", {
  description: "The address to sign in with.",
  fields: (t) => ({
    email: t.string({
      required: true,
      validate: StorableText,
      description: "The email address that receives the code.",
    }),
    returnTo: t.string({
      description: "A path of this site for the redirect after sign-in. Other values are ignored.",
    }),
  }),
});

const StartEmailSignInSuccess = builder
  .objectRef<{ readonly attemptId: string; readonly expiresAt: Date }>("StartEmailSignInSuccess")
  .implement({
    description: "A code was sent, regardless of whether an account has the address.",
    fields: (t) => ({
      attemptId: t.exposeID("attemptId", { description: "The id of the attempt, to send with the code." }),
      expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the code expires." }),
    }),
  });

builder.mutationField("startEmailSignIn", (t) =>
  t.field({
    type: StartEmailSignInSuccess,
    description: "Sends a one-time code to an email address, to sign in or to create an account.",
    errors: {
      types: CODE_ERRORS,
      union: { name: "StartEmailSignInResult", description: "The attempt or an error." },
    },
    args: { input: t.arg({ type: StartEmailSignInInput, required: true, description: "The address." }) },
    resolve: async (_root, { input }, context) => {
      const request = { email: input.email, returnTo: input.returnTo ?? null };
      return setBrowserCookie(context, await startEmailSignIn(context.deps, requireVisitor(context), request));
    },
  }),
);

const CompleteEmailSignInInput = builder.inputType("CompleteEmailSignInInput", {
  description: "The code from the email.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The id of the attempt that sent the code." }),
    code: t.string({ required: true, description: "The six-digit code." }),
  }),
});

builder.mutationField("completeEmailSignIn", (t) =>
  t.field({
    type: SignInSuccess,
    description:
      "Signs in with the code, in the browser that requested it. Creates an account if none has the address. Five wrong codes end the attempt. In a session of the same account, it renews the proof of identity.",
    errors: {
      types: [...BOUNDED_ERRORS, InvalidCodeError],
      union: { name: "CompleteEmailSignInResult", description: "The signed-in viewer or an error." },
    },
    args: { input: t.arg({ type: CompleteEmailSignInInput, required: true, description: "The code." }) },
    resolve: async (_root, { input }, context) =>
      setSessionCookie(context, await completeEmailSignIn(context.deps, requireVisitor(context), input)),
  }),
);
