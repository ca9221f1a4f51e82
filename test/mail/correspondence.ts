/** A mailbox and what is in it, made in the database: for what is read and shown, wherever it came from. */
import { randomBytes } from "node:crypto";
import type { Mailbox, Prisma } from "../../generated/prisma/client.ts";
import { publishMail } from "../../src/mail/mail-events.ts";
import { assignThread } from "../../src/mail/threads.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { newId } from "../../src/platform/ids.ts";
import type { Stack, TestAccount } from "../support/stack.ts";

/** Far from the numbers of agents that a sandbox's registry hands out. */
let nextAgentId = 500_000;

/** What has a database: a stack, or a database on its own in this shape. */
interface Databased {
  readonly service: { readonly deps: { readonly db: Database } };
}
type Owner = Pick<TestAccount, "accountId">;

/** An active agent, without a chain that registered it. */
export async function activeAgent({ service }: Databased, { accountId }: Owner, agentId = nextAgentId++) {
  const registered = {
    status: "active",
    network: "base-sepolia",
    registryAddress: "0x8004A818BFB912233c491871b3d84c89A494BD9e",
    agentId: BigInt(agentId),
    registeredAt: new Date(),
    // Nobody has a key to sign its credentials with.
    credentialsDueAt: null,
  };
  const unused = {
    holderPublicJwk: {},
    sealedHolderKey: randomBytes(8),
    wrappedDataKey: randomBytes(8),
    kekId: "none",
  };
  const { id } = await service.deps.db.prisma.agent.upsert({
    where: { accountId },
    create: { id: newId("agt"), accountId, ...unused, ...registered },
    update: registered,
  });
  return { id, agentId: registered.agentId };
}

/** The mailbox of an active agent. */
export async function openMailbox(stack: Databased, account: Owner, agentId?: number): Promise<Mailbox> {
  const { accountId } = account;
  const agent = await activeAgent(stack, account, agentId);
  const address = `agent-${agent.agentId}@agents.example`;
  const data = { id: newId("mbx"), accountId, agentId: agent.id, address, displayName: "Ada's agent" };
  return await stack.service.deps.db.prisma.mailbox.create({ data });
}

type Written = Partial<Prisma.MailMessageUncheckedCreateInput>;

/** Stores a message as it would have come or been sent, in its thread, and says so. */
export async function storeMessage({ service }: Stack, mailbox: Mailbox, written: Written = {}) {
  const { db, pubsub } = service.deps;
  const isOutbound = written.direction === "outbound";
  const at = written.createdAt ? new Date(written.createdAt) : new Date();
  const text = written.bodyText ?? "Where is the pocket?";
  const message = {
    id: newId("aem"),
    mailboxId: mailbox.id,
    accountId: mailbox.accountId,
    direction: "inbound",
    status: isOutbound ? "sent" : "received",
    fromAddress: isOutbound ? mailbox.address : "jane@shop.example",
    fromName: isOutbound ? mailbox.displayName : "Jane Doe",
    toAddresses: isOutbound ? ["jane@shop.example"] : [mailbox.address],
    ccAddresses: [],
    subject: "An order",
    bodyText: text,
    extractedText: text,
    messageIdHeader: `<${randomBytes(8).toString("hex")}@shop.example>`,
    inReplyTo: null,
    references: [],
    isRead: isOutbound,
    sizeBytes: Buffer.byteLength(text),
    createdAt: at,
    updatedAt: at,
    ...written,
  };
  const stored = await db.prisma.$transaction(async (tx) => {
    const references = Array.isArray(message.references) ? message.references : [];
    const threadId = await assignThread(tx, mailbox.id, { ...message, references, at });
    return await tx.mailMessage.create({ data: { ...message, threadId } });
  });
  publishMail(pubsub, mailbox.accountId, stored.id);
  return stored;
}

/** Attaches a file to a message that is stored. */
export async function attach(
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
