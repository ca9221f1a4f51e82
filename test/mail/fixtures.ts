/** Fixtures: agents, mailboxes, messages and attachments, written directly to the database. */
import { randomBytes } from "node:crypto";
import type { Mailbox, Prisma } from "../../generated/prisma/client.ts";
import { publishMail } from "../../src/mail/mail-events.ts";
import { assignThread } from "../../src/mail/threads.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Stack, TestAccount } from "../support/stack.ts";

/** Above the agent ids that a sandbox's registry assigns. */
let nextAgentId = 500_000;

/** A stack, or an object of this shape around a database. */
interface WithDatabase {
  readonly service: { readonly deps: { readonly db: Database } };
}
type Owner = Pick<TestAccount, "accountId">;

/** Makes the account's agent active without an on-chain registration. */
export async function activateAgent({ service }: WithDatabase, { accountId }: Owner, agentId = nextAgentId++) {
  const registered = {
    status: "active",
    network: "base-sepolia",
    registryAddress: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
    agentId: BigInt(agentId),
    registeredAt: new Date(),
    // No issuer key is available to sign its credentials.
    credentialsDueAt: null,
    nextCheckAt: null,
  };
  const { prisma } = service.deps.db;
  // The service starts only if each key in the database is configured.
  const { kekId } = await prisma.wallet.findUniqueOrThrow({ where: { accountId } });
  const unused = {
    holderPublicJwk: {},
    sealedHolderKey: randomBytes(8),
    wrappedDataKey: randomBytes(8),
    kekId,
    isAccountBound: true,
  };
  const { id } = await prisma.agent.upsert({
    where: { accountId },
    create: { id: newId("agt"), accountId, ...unused, ...registered },
    update: registered,
  });
  return { id, agentId: registered.agentId };
}

/** Creates a mailbox with an active agent. */
export async function createMailbox(stack: WithDatabase, account: Owner, agentId?: number): Promise<Mailbox> {
  const { accountId } = account;
  const agent = await activateAgent(stack, account, agentId);
  const address = `agent-${agent.agentId}@agents.example`;
  const data = { id: newId("mbx"), accountId, agentId: agent.id, address, displayName: "Ada's agent" };
  return await stack.service.deps.db.prisma.mailbox.create({ data });
}

type MessageFields = Partial<Prisma.MailMessageUncheckedCreateInput>;

/** Stores a received or sent message in its thread and publishes it. */
export async function storeMessage({ service }: Stack, mailbox: Mailbox, fields: MessageFields = {}) {
  const { db, pubsub } = service.deps;
  const isOutbound = fields.direction === "outbound";
  const at = fields.createdAt ? new Date(fields.createdAt) : new Date();
  const text = fields.bodyText ?? "Where is the pocket?";
  const message = {
    id: newId("aem"),
    mailboxId: mailbox.id,
    accountId: mailbox.accountId,
    direction: "inbound",
    status: isOutbound ? "sent" : "received",
    fromAddress: isOutbound ? mailbox.address : "jane@merchant.example",
    fromName: isOutbound ? mailbox.displayName : "Jane Doe",
    toAddresses: isOutbound ? ["jane@merchant.example"] : [mailbox.address],
    ccAddresses: [],
    subject: "An order",
    bodyText: text,
    extractedText: text,
    messageIdHeader: `<${randomBytes(8).toString("hex")}@merchant.example>`,
    inReplyTo: null,
    references: [],
    isRead: isOutbound,
    sizeBytes: Buffer.byteLength(text),
    createdAt: at,
    updatedAt: at,
    ...fields,
  };
  const stored = await db.prisma.$transaction(async (tx) => {
    const references = Array.isArray(message.references) ? message.references : [];
    const threadId = await assignThread(tx, mailbox.id, { ...message, references, at });
    return await tx.mailMessage.create({ data: { ...message, threadId } });
  });
  publishMail(pubsub, mailbox.accountId, stored.id);
  return stored;
}

/** Adds an attachment to a stored message. */
export async function storeAttachment(
  { service }: Stack,
  messageId: string,
  file: { filename: string; contentType: string; bytes: Buffer; contentId?: string },
) {
  const { bytes, filename, contentType, contentId = null } = file;
  const { mailAttachment, mailMessage } = service.deps.db.prisma;
  const { accountId } = await mailMessage.findUniqueOrThrow({ where: { id: messageId } });
  const isInline = contentId !== null;
  return await mailAttachment.create({
    data: {
      id: newId("mat"),
      accountId,
      messageId,
      filename,
      contentType,
      contentId,
      isInline,
      sizeBytes: bytes.byteLength,
      sha256: randomBytes(32),
      chunks: { create: { position: 0, bytes: Uint8Array.from(bytes) } },
    },
  });
}
