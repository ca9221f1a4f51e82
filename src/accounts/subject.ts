/** The name by which others know an account: a did:web under this service's host (decisions, "Names"). */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `did:web:<host>:users:<uuid>`, the port's colon percent-encoded (did:web, section 2.1). */
export function subjectOf(baseUrl: string, accountId: string): string {
  return `${prefixOf(baseUrl)}${accountId}`;
}

/** The account of a subject this service gave; null for any other text. */
export function accountIdOf(baseUrl: string, subject: unknown): string | null {
  const prefix = prefixOf(baseUrl);
  if (typeof subject !== "string" || !subject.startsWith(prefix)) return null;
  const id = subject.slice(prefix.length);
  return UUID.test(id) ? id : null;
}

function prefixOf(baseUrl: string): string {
  return `did:web:${encodeURIComponent(new URL(baseUrl).host)}:users:`;
}
