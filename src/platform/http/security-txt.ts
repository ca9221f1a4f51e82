import type { FastifyInstance } from "fastify";
import type { Config } from "../config/load.ts";
import type { Site } from "./site.ts";

/** RFC 9116 section 2.5.5 recommends less than a year. */
const VALID_MS = 180 * 86_400_000;

/**
 * Registers `GET /.well-known/security.txt` (RFC 9116): where to report a vulnerability of this installation. Without a
 * contact there is no such file.
 */
export function registerSecurityTxt(
  app: FastifyInstance,
  { SECURITY_CONTACTS: contacts }: Pick<Config, "SECURITY_CONTACTS">,
  site: Site,
): void {
  if (contacts.length === 0) return;
  app.get("/.well-known/security.txt", async (_request, reply) => {
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${new Date(Date.now() + VALID_MS).toISOString()}`,
      `Canonical: ${site.baseUrl()}/.well-known/security.txt`,
      "Preferred-Languages: en",
    ];
    return reply
      .header("cache-control", "public, max-age=86400")
      .type("text/plain; charset=utf-8")
      .send(`${lines.join("\n")}\n`);
  });
}
