import { z } from "zod";
import { readAttachmentPart } from "../../src/mail/attachments.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { requireScopedAccountId } from "../owner.ts";
import { createVisibleFinder } from "../visible-finder.ts";

const DEFAULT_PART_BYTES = 24 * 1024;
const MAX_PART_BYTES = 1024 * 1024;
const MIN_COMPLEXITY = 10;
const BYTES_PER_COMPLEXITY = 1024;

const MailAttachmentNode = builder.prismaNode("MailAttachment", {
  id: { field: "id", description: "The attachment's global id." },
  findUnique: createVisibleFinder((ids, context) =>
    context.deps.db.prisma.mailAttachment.findMany({
      select: { id: true },
      where: { id: { in: ids }, accountId: requireScopedAccountId(context, "email:read"), sizeBytes: { gte: 0 } },
    }),
  ),
  nullable: true,
  description: "An attachment of a message or a draft, or an upload that is not used yet.",
  fields: (t) => ({
    attachmentId: t.exposeID("id", {
      description: "The attachment's id, `mat_…`, as used by the REST API and by `attachmentIds`.",
    }),
    filename: t.exposeString("filename", {
      description: "The file name given by the sender. Do not trust the name or its extension.",
    }),
    contentType: t.exposeString("contentType", { description: "The media type given by the sender." }),
    sizeBytes: t.exposeInt("sizeBytes", { description: "The size in bytes." }),
    sha256: t.string({
      description: "The SHA-256 digest of the content, in hexadecimal.",
      resolve: ({ sha256 }) => Buffer.from(sha256).toString("hex"),
    }),
    isInline: t.exposeBoolean("isInline", {
      description: "Whether the message's HTML displays the attachment, such as a logo.",
    }),
    downloadUrl: t.field({
      type: "Url",
      description: "The URL to download the attachment, with the same credential as this request.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.baseUrl()}/api/agent/email/attachments/${id}`,
    }),
    contentBase64: t.string({
      // By size, so that one operation cannot read hundreds of long parts.
      complexity: ({ length }) => ({ field: Math.max(MIN_COMPLEXITY, Math.ceil(length / BYTES_PER_COMPLEXITY)) }),
      args: {
        offset: t.arg.int({
          required: true,
          defaultValue: 0,
          validate: z.int().min(0),
          description: "The offset of the first byte; default 0.",
        }),
        length: t.arg.int({
          required: true,
          defaultValue: DEFAULT_PART_BYTES,
          validate: z.int().min(1).max(MAX_PART_BYTES),
          description: "The maximum number of bytes, at most 1048576; default 24576.",
        }),
      },
      description: "A part of the content in base64. It is untrusted, and shorter at the end of the content.",
      resolve: async (file, range, { deps }) => (await readAttachmentPart(deps, file, range)).toString("base64"),
    }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      description: "Timestamp when the attachment was received or uploaded.",
    }),
  }),
});

lookUpById("mailAttachment", "MailAttachment", MailAttachmentNode, "the attachment");
