/** Settings of agents and their mail. */
import { z } from "zod";
import { flag, integer, list, matching, port, secrets, text } from "../values.ts";

export const outgoingMail = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: "must start with smtp:// or smtps://" })
    .optional()
    .describe("SMTP server for outgoing mail, smtps://user:password@host; default: the sandbox's, else none"),
  MAIL_FROM: matching(/^(?:[^<>\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/, "must be Name <address>")
    .optional()
    .describe("sender of Satchel's own emails; default: Satchel <no-reply@host of BASE_URL>"),
  MAIL_DKIM_SELECTOR: text.optional().describe("DKIM selector of the key that signs agents' emails"),
  MAIL_DKIM_KEY_FILE: text.optional().describe("file with the private DKIM key in PEM format"),
};

export const agents = {
  AGENT_NETWORK: z
    .enum(["base", "base-sepolia", "avalanche"])
    .optional()
    .describe("network that agents are registered on; default base, base-sepolia in the sandbox"),
  AGENT_REGISTRY: matching(/^0x[0-9a-fA-F]{40}$/, "must be an address")
    .optional()
    .describe("address of the ERC-8004 identity registry; default: the known registry of AGENT_NETWORK"),
  AGENT_REGISTRATION: flag
    .optional()
    .describe(
      "register an agent on chain for each account whose owner has not chosen; default 1 in the sandbox, else 0. The registration is public and permanent",
    ),
  AGENT_PUBLISHES_MAILBOX: flag
    .optional()
    .describe("the same default for the mailbox in the agent's public registration file"),
  AGENT_PUBLISHES_WALLET: flag.optional().describe("the same default for the wallet in that file and in the registry"),
  AGENT_REGISTRATIONS_PER_DAY: integer(0, 1_000_000)
    .default(1_000)
    .describe("maximum agent registrations that the treasury pays for in 24 hours; further agents wait"),
  AGENT_MAIL_DOMAIN: matching(/^(?=.{1,190}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, "must be a domain in lower case")
    .optional()
    .describe("domain of agents' email addresses; default: agents.<host of BASE_URL>"),
  AGENT_MAILS_PER_DAY: integer(0, 100_000).default(200).describe("maximum emails that one agent may send in 24 hours"),
};

export const incomingMail = {
  MAIL_LISTEN_PORT: port
    .optional()
    .describe("SMTP port for agents' incoming mail; default a free one in the sandbox, else none"),
  MAIL_LISTEN_HOST: text.default("127.0.0.1").describe("address to listen on for incoming mail"),
  MAIL_TLS_CERT_FILE: text
    .optional()
    .describe("file with a certificate chain in PEM format; enables STARTTLS for incoming mail"),
  MAIL_TLS_KEY_FILE: text.optional().describe("file with the certificate's private key in PEM format"),
  MAIL_OPERATOR_ADDRESS: matching(/^[^\s@<>,;]+@[^\s@<>,;]+$/, "must be an address")
    .optional()
    .describe(
      "address outside AGENT_MAIL_DOMAIN that mail to postmaster and abuse is passed on to; default: the first mailto: of SECURITY_CONTACTS",
    ),
  MAIL_MAX_MESSAGE_BYTES: integer(10_000, 104_857_600)
    .default(36_700_160)
    .describe("maximum size of an incoming message"),
  MAIL_MAX_UNPROVEN_BYTES: integer(10_000, 104_857_600)
    .default(10_485_760)
    .describe("maximum size of an incoming message with neither a DMARC nor an SPF pass"),
  MAIL_MAILBOX_QUOTA_BYTES: integer(1_000_000, 1_099_511_627_776)
    .default(1_073_741_824)
    .describe("maximum size of the received mail that one mailbox stores"),
  MAIL_HOST_QUOTA_BYTES: integer(1_000_000, 1_099_511_627_776)
    .default(10_737_418_240)
    .describe("maximum size of the stored mail from one sending host to all mailboxes"),
  MAIL_PER_SENDER_PER_MINUTE: integer(1, 1_000_000)
    .default(60)
    .describe("maximum messages from one sender to one mailbox in a minute"),
  MAIL_PER_HOST_PER_MINUTE: integer(1, 1_000_000)
    .default(1_200)
    .describe("maximum messages from one host to all mailboxes in a minute"),
  MAIL_DNS_SERVERS: list.describe("DNS servers for checks of incoming mail, comma separated; default: the system's"),
  MAIL_INBOUND_SECRET: secrets.describe(
    "comma-separated secrets that sign messages at /api/mail/inbound; default: none are accepted",
  ),
  MAIL_EVENTS_SECRET: secrets.describe(
    "comma-separated secrets that sign delivery events at /api/mail/events; default: none are accepted",
  ),
};
