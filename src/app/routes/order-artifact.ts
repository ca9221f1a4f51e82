/** Downloads of an order's evidence: screenshots, HAR archives and HTML. */
import type { FastifyInstance } from "fastify";
import { orderArtifact } from "../../../rest-compat/file-routes.ts";
import { findArtifact } from "../../checkout/orders/artifacts.ts";
import { downloadHeaders, type FileRouteDeps, registerFileRoute } from "./file-route.ts";

/** File extension by media type. Other types are sent as `application/octet-stream`. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/json": "har",
  "text/html": "html",
};

export function registerOrderArtifactRoute(app: FastifyInstance, deps: FileRouteDeps): void {
  registerFileRoute(app, deps, orderArtifact, async ({ viewer, pathPart }, reply) => {
    const artifactId = pathPart("artifact_id");
    const { contentType, bytes } = await findArtifact(deps, viewer, { orderId: pathPart("id"), artifactId });
    const extension = EXTENSIONS[contentType];
    const mediaType = extension ? contentType : "application/octet-stream";
    return reply.headers(downloadHeaders(mediaType, `${artifactId}.${extension ?? "bin"}`)).send(Buffer.from(bytes));
  });
}
