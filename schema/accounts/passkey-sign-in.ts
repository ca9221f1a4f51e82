/** Sign-in and sign-up with a passkey. */
import { completePasskeySignUp, startPasskeySignUp } from "../../src/accounts/sign-in/passkey-registration.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import { completePasskeySignIn, startPasskeySignIn } from "../../src/accounts/sign-in/passkey-sign-in.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { requireVisitor, setBrowserCookie, setSessionCookie } from "../visitor.ts";
import { SignInSuccess } from "./sign-in.ts";

interface StartedCeremony {
  readonly attemptId: string;
  readonly options: object;
}

export const PASSKEY_ERRORS = [...BOUNDED_ERRORS, PasskeyRefusedError];

const StartPasskeySignInSuccess = builder.objectRef<StartedCeremony>("StartPasskeySignInSuccess").implement({
  description: "The options for a passkey sign-in in the browser.",
  fields: (t) => ({
    attemptId: t.exposeID("attemptId", { description: "The id of the attempt, to send with the response." }),
    options: t.expose("options", {
      type: "JSON",
      description:
        "PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3), for `navigator.credentials.get`. Valid for 5 minutes and one response.",
    }),
  }),
});

export const StartPasskeyRegistrationSuccess = builder
  .objectRef<StartedCeremony>("StartPasskeyRegistrationSuccess")
  .implement({
    description: "The options for the creation of a passkey in the browser.",
    fields: (t) => ({
      attemptId: t.exposeID("attemptId", { description: "The id of the attempt, to send with the response." }),
      options: t.expose("options", {
        type: "JSON",
        description:
          "PublicKeyCredentialCreationOptionsJSON (WebAuthn level 3), for `navigator.credentials.create`. Valid for 5 minutes and one response.",
      }),
    }),
  });

builder.mutationField("startPasskeySignIn", (t) =>
  t.field({
    type: StartPasskeySignInSuccess,
    description: "Starts a sign-in with any passkey that the browser has for this site.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "StartPasskeySignInResult", description: "The options for the browser, or an error." },
    },
    resolve: async (_root, _args, context) =>
      setBrowserCookie(context, await startPasskeySignIn(context.deps, requireVisitor(context))),
  }),
);

const CompletePasskeySignInInput = builder.inputType("CompletePasskeySignInInput", {
  description: "The response of the passkey.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The id of the attempt." }),
    response: t.field({ type: "JSON", required: true, description: "AuthenticationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("completePasskeySignIn", (t) =>
  t.field({
    type: SignInSuccess,
    description:
      "Signs in with the response of a passkey. In a session of the same account, it renews the proof of identity.",
    errors: {
      types: PASSKEY_ERRORS,
      union: { name: "CompletePasskeySignInResult", description: "The signed-in viewer or an error." },
    },
    args: { input: t.arg({ type: CompletePasskeySignInInput, required: true, description: "The response." }) },
    resolve: async (_root, { input }, context) =>
      setSessionCookie(context, await completePasskeySignIn(context.deps, requireVisitor(context), input)),
  }),
);

const StartPasskeySignUpInput = builder.inputType("StartPasskeySignUpInput", {
  description: "The new account.",
  fields: (t) => ({
    displayName: t.string({
      required: true,
      validate: StorableText,
      description: "The display name, 1 to 100 characters. Devices show it with the passkey.",
    }),
  }),
});

builder.mutationField("startPasskeySignUp", (t) =>
  t.field({
    type: StartPasskeyRegistrationSuccess,
    description: "Starts the creation of an account with a passkey and without an email address.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "StartPasskeySignUpResult", description: "The options for the browser, or an error." },
    },
    args: { input: t.arg({ type: StartPasskeySignUpInput, required: true, description: "The new account." }) },
    resolve: async (_root, { input }, context) =>
      setBrowserCookie(context, await startPasskeySignUp(context.deps, requireVisitor(context), input)),
  }),
);

const CompletePasskeySignUpInput = builder.inputType("CompletePasskeySignUpInput", {
  description: "The new passkey.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The id of the attempt." }),
    name: t.string({
      validate: StorableText,
      description: "The name of the passkey, 1 to 100 characters. Defaults to `Passkey`.",
    }),
    response: t.field({ type: "JSON", required: true, description: "RegistrationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("completePasskeySignUp", (t) =>
  t.field({
    type: SignInSuccess,
    description: "Creates the account with its passkey and signs in.",
    errors: {
      types: PASSKEY_ERRORS,
      union: { name: "CompletePasskeySignUpResult", description: "The signed-in viewer or an error." },
    },
    args: { input: t.arg({ type: CompletePasskeySignUpInput, required: true, description: "The passkey." }) },
    resolve: async (_root, { input }, context) =>
      setSessionCookie(
        context,
        await completePasskeySignUp(context.deps, requireVisitor(context), { ...input, name: input.name ?? null }),
      ),
  }),
);
