/**
 * Dynamic registration (RFC 7591), for hosts that do not publish a client ID metadata document. Only public clients
 * with redirect URIs of known hosts or on the user's device can register.
 */
import { z } from "zod";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";
import { OAuthProtocolError } from "../oauth-protocol-error.ts";
import { selfRegisteredFields } from "./fields.ts";
import { isKnownRedirect } from "./known-redirects.ts";

/** Registrations per network, because each inserts a row. */
export const REGISTRATIONS_PER_HOUR = 20;

const metadataFields = z.object({
  redirect_uris: selfRegisteredFields.redirectUris,
  client_name: selfRegisteredFields.appName.optional(),
  grant_types: selfRegisteredFields.grantTypes,
  response_types: selfRegisteredFields.responseTypes,
});

const REGISTER: Statement = {
  name: "register-dynamic-client",
  text: `INSERT INTO oauth_clients (id, status, kind, registration, responsible_name, responsible_phone, responsible_country,
      responsible_address, app_name, support_email, contact_emails, javascript_origins, redirect_uris, terms_accepted_at,
      strict_scopes, is_listed_for_review, refreshed_at)
    VALUES ($1, 'pending_approval', 'native', 'dynamic', '', '', '', '', $2, '', '{}', '{}', $3::text[], now(), true, false, now())`,
};

/** The client information response (RFC 7591 section 3.2.1). */
export interface DynamicClient {
  readonly clientId: string;
  readonly issuedAt: Date;
  readonly appName: string;
  readonly redirectUris: readonly string[];
}

/**
 * Registers a public client. Requested metadata that is not supported, such as another authentication method, is
 * replaced (RFC 7591 section 2); the response states the registered values.
 * @param text the request's body, JSON
 * @throws {OAuthProtocolError} `invalid_redirect_uri` or `invalid_client_metadata` (section 3.2.2)
 */
export async function registerDynamicClient({ db }: { readonly db: Database }, text: string): Promise<DynamicClient> {
  const { redirect_uris: redirectUris, client_name: appName = "Unnamed app" } = readMetadata(text);
  const clientId = newId("cl");
  await db.query(REGISTER, [clientId, appName, redirectUris]);
  return { clientId, issuedAt: new Date(), appName, redirectUris };
}

function readMetadata(text: string): z.output<typeof metadataFields> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new OAuthProtocolError("invalid_client_metadata", "The body is not valid JSON.");
  }
  const { data, error } = metadataFields.safeParse(json);
  if (error) {
    const [name] = error.issues[0]?.path ?? [];
    if (name === "redirect_uris") throw new OAuthProtocolError("invalid_redirect_uri", "redirect_uris is invalid.");
    const isKnown = typeof name === "string" && name in metadataFields.shape;
    throw new OAuthProtocolError(
      "invalid_client_metadata",
      isKnown ? `${name} is invalid.` : "The body must be a JSON object.",
    );
  }
  if (!data.redirect_uris.every(isKnownRedirect)) {
    const description =
      "redirect_uris may have http URIs of localhost, 127.0.0.1 and [::1], and those of known hosts. Register other applications in the dashboard.";
    throw new OAuthProtocolError("invalid_redirect_uri", description);
  }
  return data;
}
