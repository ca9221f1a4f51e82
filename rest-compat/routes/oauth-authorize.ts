import { z } from "zod";
import { BeginAuthorizationDocument, ContinueAuthorizationDocument } from "../generated/graphql.ts";
import { defineOAuthRoute, type OAuthResponse } from "../oauth-route.ts";

const optional = (description: string) => z.string().optional().meta({ description });

function toBrowser({ redirectUrl, isForOpener }: { redirectUrl: string; isForOpener: boolean }): OAuthResponse {
  return { kind: "redirect", url: redirectUrl, isForOpener };
}

export const authorize = defineOAuthRoute({
  methods: ["GET", "POST"],
  path: "/oauth/authorize",
  caller: "browser",
  summary: "Request authorization",
  description:
    "The application redirects the user's browser here. Satchel redirects it back to `redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. If `client_id` is unknown or `redirect_uri` is not registered, Satchel shows an error page instead.",
  parameters: z.object({
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
    display: optional("`popup`: the response is posted to the window that opened this one."),
    login_hint: optional("The email address to prefill at sign-in."),
    response_mode: optional("Must be `query`, which is the default."),
    request: optional("Not supported."),
    request_uri: optional("Not supported."),
  }),
  document: BeginAuthorizationDocument,
  variables: ({ values, repeated }) => ({
    input: {
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
      requestUri: values.request_uri,
      repeated: [...repeated],
    },
  }),
  toResponse: ({ beginAuthorization: result }) =>
    result.__typename === "BeginAuthorizationSuccess" ? toBrowser(result) : result,
  success: null,
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
