import { z } from "zod";
import {
  BeginAuthorizationDocument,
  ContinueAuthorizationDocument,
  PushAuthorizationRequestDocument,
} from "../generated/graphql.ts";
import { defineOAuthRoute, type OAuthResponse, type ParameterValues } from "../oauth-route.ts";

const optional = (description: string) => z.string().optional().meta({ description });

function toBrowser({ redirectUrl, isForOpener }: { redirectUrl: string; isForOpener: boolean }): OAuthResponse {
  return { kind: "redirect", url: redirectUrl, isForOpener };
}

const PARAMETERS = {
  client_id: z.string().meta({ description: "The client ID of the application." }),
  redirect_uri: z
    .string()
    .meta({ description: "The URI that receives the response; must equal a registered URI byte for byte." }),
  response_type: z.string().meta({ description: "Must be `code`." }),
  state: z.string().meta({ description: "Returned unchanged; the application must verify it first." }),
  scope: optional("Scopes separated by spaces; default: `payments:sign balance:read`."),
  code_challenge: optional("Base64url of the SHA-256 of the code verifier. Required for public clients."),
  code_challenge_method: optional("Must be `S256`; required with `code_challenge`."),
  prompt: optional(
    "Default: no consent page if the user has already granted the same access. `none`: never show a page, respond with an error instead. `login`: require a new sign-in. `consent`: always show the consent page.",
  ),
  display: optional("`popup`: for a popup window. The response is sent to the redirect URI as everywhere."),
  login_hint: optional("The email address to prefill at sign-in."),
  response_mode: optional(
    "`query` is the default. `web_message`: the response is posted to the window that opened this one.",
  ),
  request: optional("Not supported."),
  request_uri: optional("The `request_uri` of `POST /oauth/par`; only `client_id` is read beside it."),
  resource: optional(
    "The URI of a protected resource of this service, which the tokens are restricted to (RFC 8707). May be repeated. Default: all.",
  ),
  dpop_jkt: optional("The thumbprint of the only key that the code can be exchanged with (RFC 9449)."),
};

function toInput(values: ParameterValues<keyof typeof PARAMETERS>) {
  return {
    clientId: values.client_id,
    redirectUri: values.redirect_uri,
    responseType: values.response_type,
    responseMode: values.response_mode,
    scope: values.scope,
    state: values.state,
    codeChallenge: values.code_challenge,
    codeChallengeMethod: values.code_challenge_method,
    prompt: values.prompt,
    display: values.display,
    loginHint: values.login_hint,
    request: values.request,
    resource: values.resource,
    dpopJkt: values.dpop_jkt,
  };
}

export const authorize = defineOAuthRoute({
  methods: ["GET", "POST"],
  path: "/oauth/authorize",
  caller: "browser",
  summary: "Request authorization",
  description:
    "The application redirects the user's browser here. Satchel redirects it back to `redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. If `client_id` is unknown or `redirect_uri` is not registered, Satchel shows an error page instead.",
  parameters: z.object(PARAMETERS),
  lists: ["resource"],
  document: BeginAuthorizationDocument,
  variables: ({ values, repeated }) => ({
    input: { ...toInput(values), requestUri: values.request_uri, repeated: [...repeated] },
  }),
  toResponse: ({ beginAuthorization: result }) =>
    result.__typename === "BeginAuthorizationSuccess" ? toBrowser(result) : result,
  success: null,
});

export const pushRequest = defineOAuthRoute({
  methods: ["POST"],
  path: "/oauth/par",
  caller: "client",
  summary: "Push an authorization request",
  description:
    "Stores the parameters of an authorization request (RFC 9126). Redirect the browser to `/oauth/authorize` with `client_id` and the returned `request_uri` only. The client authenticates as at the token endpoint. A `DPoP` header binds the code to its key.",
  parameters: z.object({
    ...PARAMETERS,
    client_secret: optional("The client secret of a confidential client, here or in an `Authorization: Basic` header."),
  }),
  lists: ["resource"],
  document: PushAuthorizationRequestDocument,
  variables: ({ values, dpop }) => ({
    input: {
      parameters: { ...toInput(values), requestUri: values.request_uri },
      clientSecret: values.client_secret,
      dpopProof: dpop,
    },
  }),
  toResponse({ pushAuthorizationRequest: result }) {
    if (result.__typename !== "PushAuthorizationRequestSuccess") return result;
    return { kind: "json", status: 201, body: { request_uri: result.requestUri, expires_in: result.expiresIn } };
  },
  success: {
    status: 201,
    description: "The stored request.",
    schema: z.object({
      request_uri: z.string().meta({ description: "The URI for `/oauth/authorize`, valid once." }),
      expires_in: z.int().meta({ description: "Seconds until the URI expires." }),
    }),
    example: {
      request_uri: "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c",
      expires_in: 90,
    },
  },
});

export const continueRoute = defineOAuthRoute({
  methods: ["GET"],
  path: "/oauth/continue",
  caller: "browser",
  summary: "Complete an authorization",
  description:
    "The consent page redirects the browser here after the decision. Satchel redirects it to the application with the response, once and only in the session that made the decision.",
  parameters: z.object({ request: z.string().meta({ description: "ID of the authorization request." }) }),
  document: ContinueAuthorizationDocument,
  variables: ({ values }) => ({ input: { requestId: values.request ?? "" } }),
  toResponse: ({ continueAuthorization: result }) =>
    result.__typename === "ContinueAuthorizationSuccess" ? toBrowser(result) : result,
  success: null,
});
