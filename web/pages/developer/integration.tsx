import { CopyButton } from "../../components/copy-button.tsx";
import { Section } from "../../components/section.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import type { OAuthClientDetailsFragment } from "../../generated/graphql.ts";

/** Code example of the authorization flow with the client id and redirect URI of the app. */
export function Integration({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const snippet = snippetFor(client, location.origin);
  return (
    <Section
      title="Integration"
      hint="Authorization code flow with PKCE. OAuth and OpenID libraries discover the endpoints automatically."
      aside={<CopyButton text={snippet} what="the code" />}
    >
      <Verbatim label="Authorization example" text={snippet} />
    </Section>
  );
}

/** Returns the example for oauth4webapi, which runs in all JavaScript runtimes. */
export function snippetFor(
  { clientId, kind, redirectUris: [redirectUri = ""] }: OAuthClientDetailsFragment,
  issuer: string,
): string {
  const authentication =
    kind === "PUBLIC" || kind === "NATIVE"
      ? "oauth.None()"
      : "oauth.ClientSecretPost(process.env.SATCHEL_CLIENT_SECRET)";
  return `import * as oauth from "oauth4webapi";

const issuer = new URL(${JSON.stringify(issuer)});
const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: "oauth2" }),
);
const client = { client_id: ${JSON.stringify(clientId)} };
const redirectUri = ${JSON.stringify(redirectUri)};

// Redirect the user to this URL. Store the verifier and the state.
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  response_type: "code",
  scope: "payments:sign balance:read",
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256",
});

// On the redirect URI:
const parameters = oauth.validateAuthResponse(server, client, new URL(request.url), state);
const response = await oauth.authorizationCodeGrantRequest(
  server, client, ${authentication}, parameters, redirectUri, verifier,
);
const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response);

// Pay within the limits of the user:
await fetch(${JSON.stringify(`${issuer}/api/x402/fetch?url=`)} + encodeURIComponent("https://merchant.example/report"), {
  method: "POST",
  headers: { authorization: \`Bearer \${access_token}\` },
});`;
}
