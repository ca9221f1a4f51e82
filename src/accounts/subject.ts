/** The public subject of an account: a did:web under this service's host (decisions, "Names"). */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns `did:web:<host>:users:<uuid>`, with the colon before a port percent-encoded (did:web, section 2.1). */
export function formatSubject(baseUrl: string, accountId: string): string {
  return `${subjectPrefix(baseUrl)}${accountId}`;
}

/** Returns the account id in a subject issued by this service; null for any other text. */
export function parseSubject(baseUrl: string, subject: unknown): string | null {
  const prefix = subjectPrefix(baseUrl);
  if (typeof subject !== "string" || !subject.startsWith(prefix)) return null;
  const id = subject.slice(prefix.length);
  return UUID.test(id) ? id : null;
}

function subjectPrefix(baseUrl: string): string {
  return `did:web:${encodeURIComponent(new URL(baseUrl).host)}:users:`;
}
