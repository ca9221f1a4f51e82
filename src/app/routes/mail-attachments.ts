/**
 * Upload and download of email attachments, and download of raw messages. They are streamed as raw bytes, so they are routes instead of operations.
 */
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { MailAttachment } from "../../../generated/prisma/client.ts";
import { mailAttachmentDownload, mailAttachmentUpload, mailRawMessage } from "../../../rest-compat/file-routes.ts";
import { findAttachment, readAttachmentContent, uploadAttachment } from "../../mail/attachments.ts";
import type { AgentMailDeps } from "../../mail/deps.ts";
import { findRawMessage, readRawMessage } from "../../mail/raw-message.ts";
import { downloadHeaders, type FileRouteDeps, registerFileRoute } from "./file-route.ts";

export function registerMailAttachmentRoutes(app: FastifyInstance, deps: AgentMailDeps & FileRouteDeps): void {
  registerFileRoute(app, deps, mailAttachmentUpload, async (upload, reply) => {
    const { filename = "", contentType = upload.contentType } = upload.query;
    const stored = await uploadAttachment(deps, upload.viewer, { filename, contentType, bytes: upload.bytes() });
    return reply.header("cache-control", "no-store").send(toResponse(stored));
  });
  registerFileRoute(app, deps, mailAttachmentDownload, async ({ viewer, pathPart }, reply) => {
    const file = await findAttachment(deps, viewer, pathPart("id"));
    return reply
      .headers({ ...downloadHeaders(file.contentType, file.filename), "content-length": String(file.sizeBytes) })
      .send(Readable.from(readAttachmentContent(deps, file), { objectMode: false }));
  });
  registerFileRoute(app, deps, mailRawMessage, async ({ viewer, pathPart }, reply) => {
    const message = await findRawMessage(deps, viewer, pathPart("id"));
    return reply
      .headers({
        ...downloadHeaders("message/rfc822", `${message.id}.eml`),
        "content-length": String(message.sizeBytes),
      })
      .send(Readable.from(readRawMessage(deps, message), { objectMode: false }));
  });
}

function toResponse({ id, filename, contentType, sizeBytes, sha256 }: MailAttachment) {
  return { id, filename, contentType, size: sizeBytes, sha256: Buffer.from(sha256).toString("hex") };
}
