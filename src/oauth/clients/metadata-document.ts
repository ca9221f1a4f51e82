/** Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document-00). */
import { z } from "zod";
import { OAuthProtocolError } from "../oauth-protocol-error.ts";
import { isOAuthScope, type OAuthScope } from "../scopes.ts";
import { selfRegisteredFields } from "./fields.ts";

const MAX_CLIENT_ID_LENGTH = 500;

/**
 * Returns the URL of a client ID metadata document; null if the client id is none. Such an id is an https URL with a
 * path, exactly as URL parsers write it: without dot segments, user name, query and fragment.
 */
export function readDocumentUrl(clientId: string): URL | null {
  if (clientId.length > MAX_CLIENT_ID_LENGTH || !clientId.startsWith("https://")) return null;
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || url.pathname === "/") return null;
  return /[?#]/.test(clientId) || url.username !== "" || url.password !== "" ? null : url;
}

/** The members of a document that Satchel reads. Names, types and addresses follow the rules of registration. */
const documentFields = z.object({
  client_id: z.string(),
  client_name: selfRegisteredFields.appName.optional(),
  redirect_uris: selfRegisteredFields.redirectUris,
  token_endpoint_auth_method: z.literal("none").optional(),
  grant_types: selfRegisteredFields.grantTypes,
  response_types: selfRegisteredFields.responseTypes,
  scope: z.string().optional(),
  client_secret: z.never().optional(),
  client_secret_expires_at: z.never().optional(),
});

export interface ClientDocument {
  readonly appName: string;
  readonly redirectUris: readonly string[];
  /** The scopes that it declares, sorted, without unknown ones; empty: none. */
  readonly declaredScopes: readonly OAuthScope[];
}

/**
 * Validates a document. Without a name, the application is called like the document's host.
 * @throws {OAuthProtocolError} `invalid_client`
 */
export function parseClientDocument(url: URL, text: string): ClientDocument {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidDocumentError("is not valid JSON");
  }
  const { data, error } = documentFields.safeParse(json);
  if (error) {
    const [name] = error.issues[0]?.path ?? [];
    const isKnown = typeof name === "string" && name in documentFields.shape;
    throw invalidDocumentError(isKnown ? `has an invalid ${name}` : "must be a JSON object");
  }
  if (data.client_id !== url.href) throw invalidDocumentError("has another client_id than its URL");
  const declaredScopes = [...new Set((data.scope ?? "").split(" ").filter(isOAuthScope))].sort();
  return { appName: data.client_name ?? url.host.slice(0, 60), redirectUris: data.redirect_uris, declaredScopes };
}

/** @param problem constant text: the error is shown to the user and never echoes the document */
export function invalidDocumentError(problem: string): OAuthProtocolError {
  return new OAuthProtocolError("invalid_client", `The client ID metadata document ${problem}.`);
}
