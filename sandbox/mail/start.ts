/** The sandbox's mail: an SMTP server, a page of all messages, a name server for authentication, and correspondents. */
import type { RequestListener } from "node:http";
import express, { type Router } from "express";
import { z } from "zod";
import { startDnsServer } from "../dns/server.ts";
import { createZone, type DnsRecord, RECORD_TYPES } from "../dns/zone.ts";
import type { SandboxEndpoints } from "../endpoints.ts";
import type { Ports } from "../ports.ts";
import { createCorrespondents } from "./correspondents.ts";
import { CORRESPONDENT_DOMAIN, RELAY_NAME } from "./domain.ts";
import { openMailbox } from "./mailbox.ts";
import { parseMail } from "./parse.ts";
import { createRelay } from "./relay.ts";
import { createMailApp } from "./server.ts";
import { createSmtpServer, MAX_MESSAGE_BYTES } from "./smtp.ts";

const SPF_RECORD = "v=spf1 ip4:127.0.0.1 ip6:::1 -all";
const DOMAIN = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/);
const routeBody = z.object({ domain: DOMAIN, host: z.string(), port: z.int().min(1).max(65_535) });
const recordsBody = z.array(
  z.object({ name: z.string().min(1).max(253), type: z.enum(RECORD_TYPES), data: z.string().max(4_000) }),
);

export interface SandboxMail {
  readonly endpoints: Pick<SandboxEndpoints, "smtp" | "mailUrl" | "dnsServer" | "correspondent">;
  /** `PUT /routes` sets the server for a domain's mail. `PUT /dns` sets records of the name server. */
  readonly admin: Router;
}

/** Starts the sandbox's mail. @param parts.onStop registers functions that stop it */
export async function startMail(parts: {
  readonly dataDir: string;
  readonly ports: Ports;
  serve(name: string, app: RequestListener): Promise<string>;
  onStop(stop: () => Promise<void>): void;
}): Promise<SandboxMail> {
  const { dataDir, ports, serve, onStop } = parts;
  const zone = createZone();
  zone.set(createDomainRecords(CORRESPONDENT_DOMAIN));
  zone.set([
    { name: RELAY_NAME, type: "TXT", data: SPF_RECORD },
    { name: RELAY_NAME, type: "A", data: "127.0.0.1" },
  ]);
  const dns = await startDnsServer(zone, ports);
  onStop(dns.stop);
  const mailbox = openMailbox(dataDir);
  const relay = createRelay(mailbox, createCorrespondents(dataDir, zone), (raw) => parseMail(raw, MAX_MESSAGE_BYTES));
  const smtp = createSmtpServer(relay);
  const { hostname, port } = new URL(await ports.listen("smtp", smtp.server));
  onStop(async () => {
    relay.stop();
    await new Promise((resolve) => smtp.close(() => resolve(undefined)));
  });

  const admin = express.Router();
  admin.put("/routes", (request, response) => {
    const { success, data, error } = routeBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    relay.route(data.domain, data);
    zone.set(createDomainRecords(data.domain));
    response.json({ routed: data.domain });
  });
  admin.put("/dns", (request, response) => {
    const { success, data, error } = recordsBody.safeParse(request.body);
    if (!success) return void response.status(400).json({ error: z.prettifyError(error) });
    zone.set(data);
    response.json({ set: data.length });
  });
  return {
    endpoints: {
      smtp: { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) },
      mailUrl: await serve("mail", createMailApp(mailbox)),
      dnsServer: dns.address,
      correspondent: `echo@${CORRESPONDENT_DOMAIN}`,
    },
    admin,
  };
}

/** Returns the records of a domain whose mail is received and sent only by this host. */
function createDomainRecords(name: string): DnsRecord[] {
  return [
    { name, type: "MX", data: RELAY_NAME },
    { name, type: "TXT", data: SPF_RECORD },
    { name: `_dmarc.${name}`, type: "TXT", data: "v=DMARC1; p=reject" },
  ];
}
