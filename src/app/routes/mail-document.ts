/** The HTML of a message, for the dashboard's frame. */
import type { FastifyInstance } from "fastify";
import { mailDocument } from "../../../rest-compat/file-routes.ts";
import type { AgentMailDeps } from "../../mail/deps.ts";
import { requireMailAccess } from "../../mail/mailboxes.ts";
import { readInlineImages } from "../../mail/reading/inline-images.ts";
import { createDocumentPolicy, findContentIds, renderMessageDocument } from "../../mail/reading/message-document.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { type FileRouteDeps, registerFileRoute } from "./file-route.ts";

export function registerMailDocumentRoute(app: FastifyInstance, deps: AgentMailDeps & FileRouteDeps): void {
  const { db } = deps;
  registerFileRoute(app, deps, mailDocument, async ({ viewer, pathPart, query }, reply) => {
    const { accountId } = requireMailAccess(viewer);
    const id = pathPart("id");
    const message = await db.prisma.mailMessage.findFirst({ where: { id, accountId }, select: { bodyHtml: true } });
    if (message?.bodyHtml == null) throw new NotFoundError("Message not found, or it has no HTML body.");
    const showsImages = query["images"] === "show";
    const images = await readInlineImages(deps, id, findContentIds(message.bodyHtml));
    return reply
      .headers({
        "content-security-policy": createDocumentPolicy(showsImages),
        "cache-control": "no-store",
        "cross-origin-resource-policy": "same-origin",
      })
      .type("text/html; charset=utf-8")
      .send(renderMessageDocument(message.bodyHtml, images, showsImages));
  });
}
