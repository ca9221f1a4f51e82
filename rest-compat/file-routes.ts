/**
 * Routes that accept or return a file's bytes. They run no GraphQL operation and are therefore not in the route table;
 * `src/app/routes/` serves them.
 */
import { z } from "zod";
import type { ErrorCode } from "./generated/graphql.ts";
import { oneOf } from "./parameters.ts";
import type { Parameters, Route } from "./route.ts";

export interface FileRoute extends Pick<Route, "method" | "summary" | "description"> {
  readonly path: `/${string}`;
  /** The `operationId` in OpenAPI. */
  readonly name: string;
  readonly scope: string;
  readonly pathParameters: Parameters | null;
  readonly query: Parameters;
  /** Description of the request body, which is bytes of any type; null without a body. */
  readonly body: string | null;
  /** The success response: a file of one of `mediaTypes`, where `*` matches any type, or JSON. */
  readonly response: {
    readonly description: string;
    readonly mediaTypes: readonly string[];
    readonly json?: { readonly schema: z.ZodType; readonly example: object };
  };
  readonly errors: readonly ErrorCode[];
}

export const mailAttachmentUpload: FileRoute = {
  method: "POST",
  path: "/api/agent/email/attachments",
  name: "uploadMailAttachment",
  summary: "Upload an email attachment",
  description:
    "Pass the returned `id` in `attachmentIds` of an email, a reply or a draft. An upload that no email uses is deleted after one day.",
  scope: "email:read",
  pathParameters: null,
  query: z.object({
    filename: z.string().meta({ description: "The file name, 1 to 255 characters; folders are removed." }),
    contentType: z
      .string()
      .optional()
      .meta({ description: "The media type, such as `application/pdf`; default: the request's `Content-Type`." }),
  }),
  body: "The file's bytes, at most 20 MiB.",
  response: {
    description: "The uploaded file.",
    mediaTypes: [],
    json: {
      schema: z.object({
        id: z.string(),
        filename: z.string(),
        contentType: z.string(),
        size: z.int().meta({ description: "The size in bytes." }),
        sha256: z.string().meta({ description: "The SHA-256 of the file's bytes, hexadecimal." }),
      }),
      example: {
        id: "mat_1795195756000_k3v9Qm2LxT7a",
        filename: "report.pdf",
        contentType: "application/pdf",
        size: 18204,
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      },
    },
  },
  errors: ["forbidden", "not_found", "rate_limited"],
};

export const mailAttachmentDownload: FileRoute = {
  method: "GET",
  path: "/api/agent/email/attachments/{id}",
  name: "downloadMailAttachment",
  summary: "Download an email attachment",
  description: "Returns an attachment of the mailbox with its own media type, always as a download.",
  scope: "email:read",
  pathParameters: z.object({ id: z.string().meta({ description: "The attachment's `id`, `mat_…`." }) }),
  query: z.object({}),
  body: null,
  response: { description: "The file's bytes.", mediaTypes: ["*/*"] },
  errors: ["forbidden", "not_found"],
};

export const mailRawMessage: FileRoute = {
  method: "GET",
  path: "/api/agent/email/messages/{id}/raw",
  name: "downloadRawMessage",
  summary: "Download an email as it arrived",
  description: "Returns a received message unchanged (RFC 5322), always as a download. It is untrusted.",
  scope: "email:read",
  pathParameters: z.object({ id: z.string().meta({ description: "The message's `id`, `aem_…`." }) }),
  query: z.object({}),
  body: null,
  response: { description: "The raw message.", mediaTypes: ["message/rfc822"] },
  errors: ["forbidden", "not_found"],
};

export const mailDocument: FileRoute = {
  method: "GET",
  path: "/mail/messages/{id}/html",
  name: "mailMessageDocument",
  summary: "Get a message as HTML",
  description:
    "Returns the sanitised message as a page for an iframe. Its content security policy blocks scripts, forms and outgoing requests.",
  scope: "email:read",
  pathParameters: z.object({ id: z.string().meta({ description: "The message's `id`, `aem_…`." }) }),
  query: z.object({
    images: oneOf(
      ["show"],
      "`show` loads remote images; their hosts then learn that the message was opened.",
    ).optional(),
  }),
  body: null,
  response: { description: "The page.", mediaTypes: ["text/html"] },
  errors: ["forbidden", "not_found"],
};

export const orderArtifact: FileRoute = {
  method: "GET",
  path: "/api/autofill/orders/{id}/artifacts/{artifact_id}",
  name: "orderArtifact",
  summary: "Download an order artifact",
  description:
    "Returns a screenshot or recording, always as a download. The evidence bundle lists artifact IDs and SHA-256 digests in `execution.artifacts`.",
  scope: "transactions:read",
  pathParameters: z.object({
    id: z.string().meta({ description: "The order's `id`." }),
    artifact_id: z.string().meta({ description: "The artifact's `id`, `art_…`." }),
  }),
  query: z.object({}),
  body: null,
  response: {
    description: "The file's bytes.",
    mediaTypes: ["image/png", "image/jpeg", "application/json", "text/html", "application/octet-stream"],
  },
  errors: ["forbidden", "not_found"],
};

export const accountExportDownload: FileRoute = {
  method: "GET",
  path: "/account-exports/{id}",
  name: "downloadAccountExport",
  summary: "Download an export of the account",
  description:
    "Returns the archive of a completed export (`requestAccountExport`). Requires a session with a sign-in in the last 10 minutes.",
  scope: "account:manage",
  pathParameters: z.object({ id: z.string().meta({ description: "The export's `exportId`, `exp_…`." }) }),
  query: z.object({}),
  body: null,
  response: { description: "The archive, a compressed tar file.", mediaTypes: ["application/gzip"] },
  errors: ["forbidden", "not_found", "reauthentication_required"],
};

export const FILE_ROUTES: readonly FileRoute[] = [
  mailAttachmentUpload,
  mailAttachmentDownload,
  mailRawMessage,
  mailDocument,
  orderArtifact,
  accountExportDownload,
];
