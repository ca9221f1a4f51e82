import { CopyButton } from "../../components/copy-button.tsx";
import { Section } from "../../components/section.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import type { OAuthClientDetailsFragment } from "../../generated/graphql.ts";

/** How the application begins: with its own id and address filled in. */
export function Integration({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const snippet = snippetFor(client, location.origin);
  return (
    <Section
      title="Integration"
      hint="The authorization code flow with PKCE. Any OpenID or OAuth library finds the rest by itself."
      aside={<CopyButton text={snippet} what="the code" />}
    >
      <Verbatim label="How to ask for permission" text={snippet} />
    </Section>
  );
}

/** For oauth4webapi, which runs everywhere JavaScript does. */
export function snippetFor(
  { clientId, kind, redirectUris: [redirectUri = ""] }: OAuthClientDetailsFragment,
  issuer: string,
): string {
  const authentication =
    kind === "PUBLIC" ? "oauth.None()" : "oauth.ClientSecretPost(process.env.SATCHEL_CLIENT_SECRET)";
  return `import * as oauth from "oauth4webapi";

const issuer = new URL(${JSON.stringify(issuer)});
const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: "oauth2" }),
);
const client = { client_id: ${JSON.stringify(clientId)} };
const redirectUri = ${JSON.stringify(redirectUri)};

// Send the person here, and keep the verifier and the state.
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

// When they come back to your address:
const parameters = oauth.validateAuthResponse(server, client, new URL(request.url), state);
const response = await oauth.authorizationCodeGrantRequest(
  server, client, ${authentication}, parameters, redirectUri, verifier,
);
const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response);

// Pay with it, within the person's limits:
await fetch(${JSON.stringify(`${issuer}/api/x402/fetch?url=`)} + encodeURIComponent("https://shop.example/report"), {
  method: "POST",
  headers: { authorization: \`Bearer \${access_token}\` },
});`;
}
