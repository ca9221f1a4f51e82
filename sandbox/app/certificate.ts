/** The certificate of the sandbox's applications. Restarts retain it, because a running service trusts exactly this one. */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import { selfSigned } from "./self-signed.ts";

type Certificate = ReturnType<typeof selfSigned>;

/** A certificate that ends sooner is replaced. */
const MIN_VALID_MS = 30 * 86_400_000;

/** Returns the stored certificate for a host name or IPv4 address, or stores a new one. */
export function openCertificate(dataDir: string, host: string): Certificate {
  const path = join(dataDir, "app-certificate.json");
  if (existsSync(path)) {
    const stored = JSON.parse(readFileSync(path, "utf8")) as Certificate;
    if (isValidFor(host, stored)) return stored;
  }
  const created = selfSigned(host);
  writeFileSync(`${path}.tmp`, JSON.stringify(created), { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  return created;
}

function isValidFor(host: string, { cert }: Certificate): boolean {
  const certificate = new X509Certificate(cert);
  const isNamed = (isIPv4(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
  return isNamed && certificate.validToDate.getTime() > Date.now() + MIN_VALID_MS;
}
