import { builder } from "../builder.ts";
import { findVisible } from "../find-visible.ts";
import { ownAccountIdWithin } from "../owner.ts";

builder.prismaNode("MailAttachment", {
  id: { field: "id", description: "The attachment's global id." },
  findUnique: findVisible((ids, context) =>
    context.deps.db.prisma.mailAttachment.findMany({
      select: { id: true },
      where: { id: { in: ids }, accountId: ownAccountIdWithin(context, "email:read"), sizeBytes: { gte: 0 } },
    }),
  ),
  nullable: true,
  description: "A file of a message or a draft, or one uploaded for a message that is yet to be written.",
  fields: (t) => ({
    attachmentId: t.exposeID("id", {
      description: "The attachment's own id, as REST shows it and `attachmentIds` takes.",
    }),
    filename: t.exposeString("filename", {
      description: "Its name, as the sender wrote it: trust neither it nor its end.",
    }),
    contentType: t.exposeString("contentType", { description: "What the sender says it is." }),
    sizeBytes: t.exposeInt("sizeBytes", { description: "Its size, in bytes." }),
    sha256: t.string({
      description: "The SHA-256 of its bytes, in hexadecimal.",
      resolve: ({ sha256 }) => Buffer.from(sha256).toString("hex"),
    }),
    isInline: t.exposeBoolean("isInline", { description: "Whether the message's HTML shows it, such as a logo." }),
    downloadUrl: t.field({
      type: "Url",
      description: "Where it is downloaded, with the credential that this request was made with.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.baseUrl()}/api/agent/email/attachments/${id}`,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it came or was uploaded." }),
  }),
});
