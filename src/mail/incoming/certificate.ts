/** The TLS certificate of the SMTP listener. Its files are replaced every few weeks, while the listener runs. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Logger } from "../../platform/observability/logger.ts";

export interface CertificateFiles {
  /** Certificate chain in PEM format. */
  readonly certFile: string;
  readonly keyFile: string;
}

/** Certificate chain and private key in PEM format. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const CHECK_INTERVAL_MS = 5_000;

/** @throws {Error} when a file cannot be read, or the key does not belong to the certificate */
export function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  return checked({ cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") });
}

/**
 * Calls `apply` whenever the files contain another valid certificate. Programs replace the two files one after the other, so a pair that
 * does not match is read again; until then, the previous certificate remains.
 *
 * @returns a function that ends the checks
 */
export function followCertificate(
  { certFile, keyFile }: CertificateFiles,
  current: Certificate,
  { logger, apply }: { readonly logger: Logger; readonly apply: (certificate: Certificate) => void },
): () => void {
  let applied = current;
  let rejected: Certificate | null = null;
  const check = async () => {
    const [cert, key] = await Promise.all([readFile(certFile, "utf8"), readFile(keyFile, "utf8")]);
    const isSame = (other: Certificate | null) => other?.cert === cert && other.key === key;
    if (isSame(applied) || isSame(rejected)) return;
    rejected = { cert, key };
    applied = checked(rejected);
    apply(applied);
    logger.info("The TLS certificate for incoming mail was replaced");
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      logger.warn({ err: error }, "The new TLS certificate for incoming mail cannot be used; the previous one remains");
    });
  }, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

function checked(certificate: Certificate): Certificate {
  createSecureContext(certificate);
  return certificate;
}
