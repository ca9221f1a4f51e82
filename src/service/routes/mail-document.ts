/** `GET /mail/messages/<id>/html`: a message's HTML, for the frame in which the dashboard shows it. */
import type { FastifyInstance } from "fastify";
import { failureOf, sendFailure } from "../../../rest-compat/failure-answer.ts";
import { type AuthenticationDeps, authenticate, credentialOf } from "../../accounts/authenticate.ts";
import { requireCorrespondent } from "../../mail/mailboxes.ts";
import { inlineImages } from "../../mail/reading/inline-images.ts";
import { documentPolicy, messageDocument, shownContentIds } from "../../mail/reading/message-document.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Site } from "../../platform/site.ts";

/** `images=show` lets pictures from elsewhere be loaded. */
interface Asked {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly images?: unknown };
}

/** Answers whoever may read the message: a browser that is signed in, from this site's own pages, or a token. */
export function registerMailDocumentRoute(
  app: FastifyInstance,
  deps: AuthenticationDeps & { readonly site: Site },
): void {
  const { db, site } = deps;
  app.get<Asked>("/mail/messages/:id/html", async ({ params: { id }, query, headers }, reply) => {
    try {
      const viewer = await authenticate(deps, credentialOf(headers, "same-origin", site.isHttps));
      const { accountId } = requireCorrespondent(viewer);
      const message = await db.prisma.mailMessage.findFirst({ where: { id, accountId }, select: { bodyHtml: true } });
      if (message?.bodyHtml == null) {
        return sendFailure(reply, failureOf("not_found", "There is no such message, or it has no HTML."));
      }
      const showsImages = query.images === "show";
      const images = await inlineImages(db, id, shownContentIds(message.bodyHtml));
      return reply
        .headers({
          "content-security-policy": documentPolicy(showsImages),
          "cache-control": "no-store",
          "cross-origin-resource-policy": "same-origin",
        })
        .type("text/html; charset=utf-8")
        .send(messageDocument(message.bodyHtml, images, showsImages));
    } catch (error) {
      if (error instanceof ServiceError) return sendFailure(reply, failureOf(error.code, error.message));
      throw error;
    }
  });
}
