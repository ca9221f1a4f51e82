/** Real OpenID provider (oidc-provider) on loopback that signs in the configured user without interaction. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

export interface OpenIdProvider {
  readonly issuer: string;
  /** User of the next sign-in; null declines it. */
  user: {
    readonly sub: string;
    readonly email?: string;
    readonly emailVerified?: boolean;
    readonly name?: string;
    /** Claims of the identity token that replace those of the userinfo endpoint. */
    readonly idTokenClaims?: { readonly email: string; readonly email_verified: boolean };
  } | null;
  /** Number of sign-ins with a password prompt. */
  readonly logins: { count: number };
  /** Registers the redirect URI of the only client and starts to accept requests. */
  registerClient(redirectUri: string): void;
  /** Returns a JWT signed with the provider's key, like its access tokens. */
  sign(claims: JWTPayload, header?: { readonly typ?: string }): Promise<string>;
  close(): Promise<void>;
}

export const CLIENT = { id: "satchel", secret: "a-secret-that-only-the-two-know" };
const KID = "first";

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: KID, use: "sig", alg: "RS256" };
  const logins = { count: 0 };

  const provider: OpenIdProvider = {
    issuer,
    user: null,
    logins,
    registerClient(redirectUri) {
      const oidc = new Provider(issuer, {
        clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
        jwks: { keys: [jwk as never] },
        cookies: { keys: ["only a test"] },
        conformIdTokenClaims: false,
        claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: async (use) => {
            const { email = null, emailVerified = false, name = null, idTokenClaims: inIdToken } = provider.user ?? {};
            if (inIdToken) return { sub: id, ...(use === "id_token" ? inIdToken : { email }) };
            return { sub: id, email, email_verified: emailVerified, name };
          },
        }),
      });
      const app = oidc.callback();
      handle = async (request, response) => {
        if (!request.url?.startsWith("/interaction/")) return app(request, response);
        const { prompt, params, grantId } = await oidc.interactionDetails(request, response);
        const { user: person } = provider;
        if (!person) {
          const refusal = { error: "access_denied", error_description: "The user declined." };
          return await oidc.interactionFinished(request, response, refusal);
        }
        if (prompt.name === "login") {
          logins.count += 1;
          return await oidc.interactionFinished(request, response, { login: { accountId: person.sub } });
        }
        const grant =
          (grantId ? await oidc.Grant.find(grantId) : undefined) ??
          new oidc.Grant({ accountId: person.sub, clientId: String(params["client_id"]) });
        grant.addOIDCScope("openid email profile");
        const consent = { grantId: await grant.save() };
        return await oidc.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
      };
    },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KID, typ: "at+jwt", ...header }).sign(privateKey),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return provider;
}
