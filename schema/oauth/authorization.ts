/** The browser's steps of the code flow. */
import type { AuthorizationResponse } from "../../src/oauth/authorization-response.ts";
import { beginAuthorization } from "../../src/oauth/begin-authorization.ts";
import { continueAuthorization } from "../../src/oauth/continue-authorization.ts";
import { RateLimitedError } from "../../src/platform/errors.ts";
import { networkOf } from "../../src/platform/http/client-address.ts";
import { builder } from "../builder.ts";
import { OAUTH_ERRORS } from "./errors.ts";

/** Each may leave a row behind. */
const AUTHORIZATIONS_PER_MINUTE = 300;

const BeginAuthorizationInput = builder.inputType("BeginAuthorizationInput", {
  description: "The parameters of `/oauth/authorize`, by their names there. An empty text counts as absent.",
  fields: (t) => ({
    clientId: t.string({ description: "Who asks." }),
    redirectUri: t.string({ description: "Where the answer goes; exactly as registered." }),
    responseType: t.string({ description: "Must be `code`." }),
    responseMode: t.string({ description: "`query`, which is also the default." }),
    scope: t.string({ description: "Separated by spaces; default `payments:sign balance:read`." }),
    state: t.string({ description: "Comes back unchanged." }),
    codeChallenge: t.string({ description: "Base64url of the verifier's SHA-256 (RFC 7636)." }),
    codeChallengeMethod: t.string({ description: "Must be `S256`." }),
    prompt: t.string({ description: "`none`, `login`, `consent`, or `login consent`." }),
    display: t.string({ description: "`popup` for a window that answers to the one that opened it." }),
    loginHint: t.string({ description: "Fills in the email address at sign-in." }),
    request: t.string({ description: "Not supported; refused in the protocol's terms." }),
    requestUri: t.string({ description: "Not supported; refused in the protocol's terms." }),
    repeated: t.stringList({ description: "Names of parameters that came more than once, which is refused." }),
  }),
});

const answerFields = {
  redirectUrl: "Where the browser goes now.",
  isError: "Whether it brings an error to the application.",
  isForOpener: "Whether the application waits for it in the window that opened this one.",
};

const BeginAuthorizationSuccess = builder.objectRef<AuthorizationResponse>("BeginAuthorizationSuccess").implement({
  description: "The request is well formed, or its fault may be told to the application.",
  fields: (t) => ({
    redirectUrl: t.exposeString("redirectUrl", { description: answerFields.redirectUrl }),
    isError: t.exposeBoolean("isError", { description: answerFields.isError }),
    isForOpener: t.exposeBoolean("isForOpener", { description: answerFields.isForOpener }),
  }),
});

builder.mutationField("beginAuthorization", (t) =>
  t.field({
    type: BeginAuthorizationSuccess,
    description:
      "Begins the code flow: leads to the application with a code where the person allowed as much before, else to the consent page. What `/oauth/authorize` runs.",
    errors: {
      types: [...OAUTH_ERRORS, RateLimitedError],
      union: {
        name: "BeginAuthorizationResult",
        description: "Where to go, or why the application is not to be trusted with an answer.",
      },
    },
    args: { input: t.arg({ type: BeginAuthorizationInput, required: true, description: "The parameters." }) },
    resolve: async (_root, { input }, { deps, viewer, ip }) => {
      if (ip !== null) await deps.rateLimiter.consume("oauth_authorize", networkOf(ip), AUTHORIZATIONS_PER_MINUTE);
      return await beginAuthorization(deps, viewer, {
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
        repeated: input.repeated ?? [],
      });
    },
  }),
);

const ContinueAuthorizationInput = builder.inputType("ContinueAuthorizationInput", {
  description: "A request that was decided.",
  fields: (t) => ({ requestId: t.id({ required: true, description: "The request's id." }) }),
});

const ContinueAuthorizationSuccess = builder
  .objectRef<AuthorizationResponse>("ContinueAuthorizationSuccess")
  .implement({
    description: "The person's answer, for the browser to bring to the application.",
    fields: (t) => ({
      redirectUrl: t.exposeString("redirectUrl", { description: answerFields.redirectUrl }),
      isError: t.exposeBoolean("isError", { description: answerFields.isError }),
      isForOpener: t.exposeBoolean("isForOpener", { description: answerFields.isForOpener }),
    }),
  });

builder.mutationField("continueAuthorization", (t) =>
  t.field({
    type: ContinueAuthorizationSuccess,
    description:
      "Takes the answer to a decided request, once, in the session that decided it. What `/oauth/continue` runs.",
    errors: {
      types: OAUTH_ERRORS,
      union: { name: "ContinueAuthorizationResult", description: "Where to go, or why there is no answer here." },
    },
    args: { input: t.arg({ type: ContinueAuthorizationInput, required: true, description: "The request." }) },
    resolve: (_root, { input }, { deps, viewer }) => continueAuthorization(deps, viewer, input.requestId),
  }),
);
