/** Signing in, and opening an account, with a passkey. */
import { completePasskeySignUp, startPasskeySignUp } from "../../src/accounts/sign-in/passkey-registration.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import { completePasskeySignIn, startPasskeySignIn } from "../../src/accounts/sign-in/passkey-sign-in.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { StorableText } from "../text.ts";
import { enter, keepBrowser, visitorOf } from "../visitor.ts";
import { SignInSuccess } from "./sign-in.ts";

interface StartedCeremony {
  readonly attemptId: string;
  readonly options: object;
}

export const PASSKEY_ERRORS = [...BOUNDED_ERRORS, PasskeyRefusedError];

const StartPasskeySignInSuccess = builder.objectRef<StartedCeremony>("StartPasskeySignInSuccess").implement({
  description: "What the browser needs to ask for a passkey.",
  fields: (t) => ({
    attemptId: t.exposeID("attemptId", { description: "Names the attempt; goes with the answer." }),
    options: t.expose("options", {
      type: "JSON",
      description:
        "PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3), for `navigator.credentials.get`. Good for 5 minutes and one answer.",
    }),
  }),
});

export const StartPasskeyRegistrationSuccess = builder
  .objectRef<StartedCeremony>("StartPasskeyRegistrationSuccess")
  .implement({
    description: "What the browser needs to make a passkey.",
    fields: (t) => ({
      attemptId: t.exposeID("attemptId", { description: "Names the attempt; goes with the answer." }),
      options: t.expose("options", {
        type: "JSON",
        description:
          "PublicKeyCredentialCreationOptionsJSON (WebAuthn level 3), for `navigator.credentials.create`. Good for 5 minutes and one answer.",
      }),
    }),
  });

builder.mutationField("startPasskeySignIn", (t) =>
  t.field({
    type: StartPasskeySignInSuccess,
    description: "Begins signing in with a passkey: any that the browser has for this site.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "StartPasskeySignInResult", description: "What the browser needs, or why there is nothing." },
    },
    resolve: async (_root, _args, context) =>
      keepBrowser(context, await startPasskeySignIn(context.deps, visitorOf(context))),
  }),
);

const CompletePasskeySignInInput = builder.inputType("CompletePasskeySignInInput", {
  description: "What the passkey answered.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The attempt it answers." }),
    response: t.field({ type: "JSON", required: true, description: "AuthenticationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("completePasskeySignIn", (t) =>
  t.field({
    type: SignInSuccess,
    description: "Signs in with a passkey's answer. For somebody signed in it renews their proof.",
    errors: {
      types: PASSKEY_ERRORS,
      union: { name: "CompletePasskeySignInResult", description: "Who is signed in, or why nobody is." },
    },
    args: { input: t.arg({ type: CompletePasskeySignInInput, required: true, description: "The answer." }) },
    resolve: async (_root, { input }, context) =>
      enter(context, await completePasskeySignIn(context.deps, visitorOf(context), input)),
  }),
);

const StartPasskeySignUpInput = builder.inputType("StartPasskeySignUpInput", {
  description: "Who wants an account.",
  fields: (t) => ({
    displayName: t.string({
      required: true,
      validate: StorableText,
      description: "What they like to be called; 1 to 100 characters. Their devices show it beside the passkey.",
    }),
  }),
});

builder.mutationField("startPasskeySignUp", (t) =>
  t.field({
    type: StartPasskeyRegistrationSuccess,
    description: "Begins an account that is opened by a passkey, without an e-mail address.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "StartPasskeySignUpResult", description: "What the browser needs, or why there is nothing." },
    },
    args: { input: t.arg({ type: StartPasskeySignUpInput, required: true, description: "Who." }) },
    resolve: async (_root, { input }, context) =>
      keepBrowser(context, await startPasskeySignUp(context.deps, visitorOf(context), input)),
  }),
);

const CompletePasskeySignUpInput = builder.inputType("CompletePasskeySignUpInput", {
  description: "The passkey that was made.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The attempt it was made for." }),
    name: t.string({ validate: StorableText, description: "What to call the passkey; 1 to 100 characters." }),
    response: t.field({ type: "JSON", required: true, description: "RegistrationResponseJSON (WebAuthn level 3)." }),
  }),
});

builder.mutationField("completePasskeySignUp", (t) =>
  t.field({
    type: SignInSuccess,
    description: "Opens the account with the passkey that was made for it, and signs in.",
    errors: {
      types: PASSKEY_ERRORS,
      union: { name: "CompletePasskeySignUpResult", description: "Who is signed in, or why nobody is." },
    },
    args: { input: t.arg({ type: CompletePasskeySignUpInput, required: true, description: "The passkey." }) },
    resolve: async (_root, { input }, context) =>
      enter(
        context,
        await completePasskeySignUp(context.deps, visitorOf(context), { ...input, name: input.name ?? null }),
      ),
  }),
);
