import { z } from "zod";
import { BeginAuthorizationDocument, ContinueAuthorizationDocument } from "../generated/graphql.ts";
import { defineOAuthRoute, type OAuthAnswer } from "../oauth-route.ts";

const optional = (description: string) => z.string().optional().meta({ description });

function toBrowser({ redirectUrl, isForOpener }: { redirectUrl: string; isForOpener: boolean }): OAuthAnswer {
  return { kind: "redirect", url: redirectUrl, isForOpener };
}

export const authorize = defineOAuthRoute({
  methods: ["GET", "POST"],
  path: "/oauth/authorize",
  caller: "browser",
  summary: "Ask a person for permission",
  description:
    "The browser is sent here by the application. It comes back to `redirect_uri` with `code`, `state` and `iss`, or with `error`, `error_description`, `state` and `iss`. With an unknown `client_id` or a `redirect_uri` that is not registered it is sent nowhere: the answer is a page.",
  parameters: z.object({
    client_id: z.string().meta({ description: "Who asks." }),
    redirect_uri: z
      .string()
      .meta({ description: "Where the answer goes; compared with the registered ones byte for byte." }),
    response_type: z.string().meta({ description: "Must be `code`." }),
    state: z.string().meta({ description: "Comes back unchanged; the application verifies it first." }),
    scope: optional("Separated by spaces; default `payments:sign balance:read`."),
    code_challenge: optional("Base64url of the verifier's SHA-256. Mandatory for public clients."),
    code_challenge_method: optional("Must be `S256`; with `code_challenge`."),
    prompt: optional(
      "Left out: nothing is asked where as much was allowed before. `none`: never ask, answer with an error instead. `login`: sign in anew. `consent`: ask in any case.",
    ),
    display: optional("`popup`: the answer is posted to the window that opened this one."),
    login_hint: optional("Fills in the email address at sign-in."),
    response_mode: optional("`query`, which is also the default."),
    request: optional("Not supported."),
    request_uri: optional("Not supported."),
  }),
  document: BeginAuthorizationDocument,
  variables: ({ given, repeated }) => ({
    input: {
      clientId: given.client_id,
      redirectUri: given.redirect_uri,
      responseType: given.response_type,
      responseMode: given.response_mode,
      scope: given.scope,
      state: given.state,
      codeChallenge: given.code_challenge,
      codeChallengeMethod: given.code_challenge_method,
      prompt: given.prompt,
      display: given.display,
      loginHint: given.login_hint,
      request: given.request,
      requestUri: given.request_uri,
      repeated: [...repeated],
    },
  }),
  answer: ({ beginAuthorization: result }) =>
    result.__typename === "BeginAuthorizationSuccess" ? toBrowser(result) : result,
  success: null,
});

export const continueRoute = defineOAuthRoute({
  methods: ["GET"],
  path: "/oauth/continue",
  caller: "browser",
  summary: "Bring a decision back",
  description:
    "The consent page sends the browser here once the person has decided. It goes on to the application with the answer: once, and only in the session that decided.",
  parameters: z.object({ request: z.string().meta({ description: "The request's id." }) }),
  document: ContinueAuthorizationDocument,
  variables: ({ given }) => ({ input: { requestId: given.request ?? "" } }),
  answer: ({ continueAuthorization: result }) =>
    result.__typename === "ContinueAuthorizationSuccess" ? toBrowser(result) : result,
  success: null,
});
