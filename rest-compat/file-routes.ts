/** Routes that take or answer a file as it is: no operations, and so not in the route table. `src/app/routes/` serves them. */
import { z } from "zod";
import type { ErrorCode } from "./generated/graphql.ts";
import type { Parameters, Route } from "./route.ts";

export interface FileRoute extends Pick<Route, "method" | "summary" | "description"> {
  readonly path: `/${string}`;
  /** Its name in OpenAPI. */
  readonly name: string;
  readonly scope: string;
  readonly pathParameters: Parameters | null;
  readonly query: Parameters;
  /** What the body is, where there is one: bytes of any type. */
  readonly body: string | null;
  /** A file of one of these types (`*` for any), or JSON. */
  readonly answer: {
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
  summary: "Upload a file for a letter",
  description:
    "Its `id` goes into `attachmentIds` of a letter, an answer or a draft. What no letter takes is deleted after a day.",
  scope: "email:read",
  pathParameters: null,
  query: z.object({
    filename: z.string().meta({ description: "Its name: 1 to 255 characters; folders are left out." }),
    contentType: z
      .string()
      .optional()
      .meta({ description: "Its media type, such as `application/pdf`; default: the request's `Content-Type`." }),
  }),
  body: "The file's bytes, at most 20 MiB.",
  answer: {
    description: "The file.",
    mediaTypes: [],
    json: {
      schema: z.object({
        id: z.string(),
        filename: z.string(),
        contentType: z.string(),
        size: z.int().meta({ description: "In bytes." }),
        sha256: z.string().meta({ description: "Of its bytes, hexadecimal." }),
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
  summary: "Download a file of a letter",
  description: "Any file of the mailbox, of its own media type and always as a download.",
  scope: "email:read",
  pathParameters: z.object({ id: z.string().meta({ description: "The file's `id`, `mat_…`." }) }),
  query: z.object({}),
  body: null,
  answer: { description: "The file's bytes.", mediaTypes: ["*/*"] },
  errors: ["forbidden", "not_found"],
};

export const mailDocument: FileRoute = {
  method: "GET",
  path: "/mail/messages/{id}/html",
  name: "mailMessageDocument",
  summary: "A message's HTML",
  description:
    "The message as a page to be shown in a frame: reduced to what is harmless, under a policy that runs nothing and sends nothing.",
  scope: "email:read",
  pathParameters: z.object({ id: z.string().meta({ description: "The message's `id`, `aem_…`." }) }),
  query: z.object({
    images: z
      .enum(["show"])
      .optional()
      .meta({ description: "`show` lets pictures from elsewhere be loaded, which tells their host that it was read." }),
  }),
  body: null,
  answer: { description: "The page.", mediaTypes: ["text/html"] },
  errors: ["forbidden", "not_found"],
};

export const orderArtifact: FileRoute = {
  method: "GET",
  path: "/api/autofill/orders/{id}/artifacts/{artifact_id}",
  name: "orderArtifact",
  summary: "Download what was kept of an order",
  description:
    "A screenshot or a recording, as its `sha256` in the evidence bundle is of. Always as a download. The ids stand in `execution.artifacts` there.",
  scope: "transactions:read",
  pathParameters: z.object({
    id: z.string().meta({ description: "The order's `id`." }),
    artifact_id: z.string().meta({ description: "The artifact's `id`, `art_…`." }),
  }),
  query: z.object({}),
  body: null,
  answer: {
    description: "The file's bytes.",
    mediaTypes: ["image/png", "image/jpeg", "application/json", "text/html", "application/octet-stream"],
  },
  errors: ["forbidden", "not_found"],
};

export const FILE_ROUTES: readonly FileRoute[] = [
  mailAttachmentUpload,
  mailAttachmentDownload,
  mailDocument,
  orderArtifact,
];
