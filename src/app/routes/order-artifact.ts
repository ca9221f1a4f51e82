/** Screenshots and recordings of an order, as they were kept. */
import type { FastifyInstance } from "fastify";
import { orderArtifact } from "../../../rest-compat/file-routes.ts";
import { findArtifact } from "../../checkout/orders/artifacts.ts";
import { downloadHeaders, type FileRouteDeps, registerFileRoute } from "./file-route.ts";

/** The endings of the files' names, by media type; anything else is bytes. */
const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/json": "har",
  "text/html": "html",
};

export function registerOrderArtifactRoute(app: FastifyInstance, deps: FileRouteDeps): void {
  registerFileRoute(app, deps, orderArtifact, async ({ viewer, pathPart }, reply) => {
    const artifactId = pathPart("artifact_id");
    const { contentType, bytes } = await findArtifact(deps, viewer, { orderId: pathPart("id"), artifactId });
    const ending = ENDINGS[contentType];
    const mediaType = ending ? contentType : "application/octet-stream";
    return reply.headers(downloadHeaders(mediaType, `${artifactId}.${ending ?? "bin"}`)).send(Buffer.from(bytes));
  });
}
