/** The HTML of a message, for the dashboard's frame. */
import type { FastifyInstance } from "fastify";
import { mailDocument } from "../../../rest-compat/file-routes.ts";
import { requireCorrespondent } from "../../mail/mailboxes.ts";
import { inlineImages } from "../../mail/reading/inline-images.ts";
import { documentPolicy, messageDocument, shownContentIds } from "../../mail/reading/message-document.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { type FileRouteDeps, registerFileRoute } from "./file-route.ts";

export function registerMailDocumentRoute(app: FastifyInstance, deps: FileRouteDeps): void {
  const { db } = deps;
  registerFileRoute(app, deps, mailDocument, async ({ viewer, pathPart, queryText }, reply) => {
    const { accountId } = requireCorrespondent(viewer);
    const id = pathPart("id");
    const message = await db.prisma.mailMessage.findFirst({ where: { id, accountId }, select: { bodyHtml: true } });
    if (message?.bodyHtml == null) throw new NotFoundError("Message not found, or it has no HTML body.");
    const showsImages = queryText("images") === "show";
    const images = await inlineImages(db, id, shownContentIds(message.bodyHtml));
    return reply
      .headers({
        "content-security-policy": documentPolicy(showsImages),
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
      })
      .type("text/html; charset=utf-8")
      .send(messageDocument(message.bodyHtml, images, showsImages));
  });
}
