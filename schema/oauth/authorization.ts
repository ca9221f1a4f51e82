/** The browser's steps of the authorization code flow. */
import type { AuthorizationParameters } from "../../src/oauth/authorization-parameters.ts";
import type { AuthorizationResponse } from "../../src/oauth/authorization-response.ts";
import { beginAuthorization } from "../../src/oauth/begin-authorization.ts";
import { continueAuthorization } from "../../src/oauth/continue-authorization.ts";
import { pushRequest } from "../../src/oauth/pushed-requests.ts";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { limitByNetwork } from "../../src/platform/http/limit-by-network.ts";
import { builder } from "../builder.ts";
import { INTERNAL } from "../schema-variants.ts";
import { OAUTH_ERRORS } from "./errors.ts";

/** Limited per network, because each request may insert a row. */
const AUTHORIZATIONS_PER_MINUTE = 300;

const BeginAuthorizationInput = builder.inputType("BeginAuthorizationInput", {
  description: "The parameters of `/oauth/authorize`. Empty values are treated as absent.",
  fields: (t) => ({
    clientId: t.string({ description: "The application's `client_id`." }),
    redirectUri: t.string({ description: "The redirect URI, exactly as registered." }),
    responseType: t.string({ description: "Must be `code`." }),
    responseMode: t.string({
      description: "`query` (default) or `web_message`, which posts the response to the window that opened this one.",
    }),
    scope: t.string({
      description: "The requested scopes, separated by spaces. Defaults to `payments:sign balance:read`.",
    }),
    state: t.string({ description: "A value that is returned unchanged. Required." }),
    codeChallenge: t.string({ description: "The SHA-256 of the code verifier in base64url (RFC 7636)." }),
    codeChallengeMethod: t.string({ description: "Must be `S256`." }),
    prompt: t.string({ description: "`none`, `login`, `consent`, or `login consent`." }),
    display: t.string({
      description:
        "`popup` for a popup window. The response is sent to the redirect URI, unless `responseMode` is `web_message`.",
    }),
    loginHint: t.string({ description: "The email address to prefill at sign-in." }),
    request: t.string({ description: "Not supported; results in a protocol error." }),
    requestUri: t.string({ description: "The URI of a pushed request, which replaces all other parameters." }),
    resource: t.string({ description: "Identifiers of protected resources (RFC 8707), separated by spaces." }),
    dpopJkt: t.string({ description: "The thumbprint of the key that the code is bound to (RFC 9449)." }),
    repeated: t.stringList({
      description: "Names of parameters that were sent more than once. Results in a protocol error.",
    }),
  }),
});

const RESPONSE_FIELDS = {
  redirectUrl: "The URL to redirect the browser to.",
  isError: "Whether the URL is the application's redirect URI with an error.",
  isForOpener: "Whether the application awaits the response in the window that opened this one.",
};

const BeginAuthorizationSuccess = builder.objectRef<AuthorizationResponse>("BeginAuthorizationSuccess").implement({
  description: "The redirect for the request, which may contain an error for the application.",
  fields: (t) => ({
    redirectUrl: t.exposeString("redirectUrl", { description: RESPONSE_FIELDS.redirectUrl }),
    isError: t.exposeBoolean("isError", { description: RESPONSE_FIELDS.isError }),
    isForOpener: t.exposeBoolean("isForOpener", { description: RESPONSE_FIELDS.isForOpener }),
  }),
});

builder.mutationField("beginAuthorization", (t) =>
  t.field({
    ...INTERNAL,
    type: BeginAuthorizationSuccess,
    description:
      "Starts the authorization code flow, like `/oauth/authorize`. Redirects to the application with a code if an active grant covers the request, otherwise to the consent page.",
    errors: {
      types: [...OAUTH_ERRORS, RateLimitedError],
      union: {
        name: "BeginAuthorizationResult",
        description: "The redirect, or an error that must not be sent to the application.",
      },
    },
    args: { input: t.arg({ type: BeginAuthorizationInput, required: true, description: "The parameters." }) },
    resolve: async (_root, { input }, { deps, viewer, ip }) => {
      if (ip !== null) await limitByNetwork(deps, "oauth_authorize", ip, AUTHORIZATIONS_PER_MINUTE);
      return await beginAuthorization(deps, viewer, readParameters(input));
    },
  }),
);

function readParameters(input: typeof BeginAuthorizationInput.$inferInput): AuthorizationParameters {
  return {
    clientId: input.clientId || null,
    redirectUri: input.redirectUri || null,
    responseType: input.responseType || null,
    responseMode: input.responseMode || null,
    scope: input.scope || null,
    state: input.state || null,
    codeChallenge: input.codeChallenge || null,
    codeChallengeMethod: input.codeChallengeMethod || null,
    prompt: input.prompt || null,
    display: input.display || null,
    loginHint: input.loginHint || null,
    request: input.request || null,
    requestUri: input.requestUri || null,
    resource: input.resource || null,
    dpopJkt: input.dpopJkt || null,
    repeated: input.repeated ?? [],
  };
}

const PushAuthorizationRequestInput = builder.inputType("PushAuthorizationRequestInput", {
  description: "An authorization request, and the credentials of the application (RFC 9126).",
  fields: (t) => ({
    parameters: t.field({ type: BeginAuthorizationInput, required: true, description: "The request." }),
    clientSecret: t.string({ description: "The application's `client_secret`. Omitted by public clients." }),
    dpopProof: t.string({ description: "The `DPoP` header, which binds the code to its key." }),
  }),
});

const PushAuthorizationRequestSuccess = builder
  .objectRef<{ requestUri: string; expiresIn: number }>("PushAuthorizationRequestSuccess")
  .implement({
    description: "The stored request.",
    fields: (t) => ({
      requestUri: t.exposeString("requestUri", {
        description: "The `request_uri` for `/oauth/authorize`, valid once.",
      }),
      expiresIn: t.exposeInt("expiresIn", { description: "Seconds until the URI expires." }),
    }),
  });

builder.mutationField("pushAuthorizationRequest", (t) =>
  t.field({
    ...INTERNAL,
    type: PushAuthorizationRequestSuccess,
    description: "Stores an authorization request, like `POST /oauth/par`.",
    errors: {
      types: [...OAUTH_ERRORS, RateLimitedError],
      union: { name: "PushAuthorizationRequestResult", description: "The stored request or an error." },
    },
    args: { input: t.arg({ type: PushAuthorizationRequestInput, required: true, description: "The request." }) },
    resolve: async (_root, { input }, { deps, ip }) => {
      if (ip !== null) await limitByNetwork(deps, "oauth_authorize", ip, AUTHORIZATIONS_PER_MINUTE);
      const parameters = readParameters(input.parameters);
      const { clientId } = parameters;
      const clientSecret = input.clientSecret || null;
      return await pushRequest(deps, { clientId, clientSecret, parameters, dpopProof: input.dpopProof || null });
    },
  }),
);

const ContinueAuthorizationInput = builder.inputType("ContinueAuthorizationInput", {
  description: "A decided request.",
  fields: (t) => ({ requestId: t.id({ required: true, description: "The request's id." }) }),
});

const ContinueAuthorizationSuccess = builder
  .objectRef<AuthorizationResponse>("ContinueAuthorizationSuccess")
  .implement({
    description: "The redirect with the user's decision.",
    fields: (t) => ({
      redirectUrl: t.exposeString("redirectUrl", { description: RESPONSE_FIELDS.redirectUrl }),
      isError: t.exposeBoolean("isError", { description: RESPONSE_FIELDS.isError }),
      isForOpener: t.exposeBoolean("isForOpener", { description: RESPONSE_FIELDS.isForOpener }),
    }),
  });

builder.mutationField("continueAuthorization", (t) =>
  t.field({
    ...INTERNAL,
    type: ContinueAuthorizationSuccess,
    description:
      "Claims the response to a decided request, once, in the session that decided it, like `/oauth/continue`.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "ContinueAuthorizationResult", description: "The redirect or an error." },
    },
    args: { input: t.arg({ type: ContinueAuthorizationInput, required: true, description: "The request." }) },
    resolve: (_root, { input }, { deps, viewer }) => continueAuthorization(deps, viewer, input.requestId),
  }),
);
