/** Evidence of an order: its steps, artifacts and signed bundle. */
import type { CheckoutArtifact, CheckoutOrder, CheckoutStep } from "../../generated/prisma/client.ts";
import { readEvidence } from "../../src/checkout/orders/evidence.ts";
import { isTerminal } from "../../src/checkout/orders/states.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { wireEnum } from "../wire-enum.ts";
import { CheckoutOrderNode } from "./orders.ts";

const ArtifactKindEnum = wireEnum("CheckoutArtifactKind", "The kind of an artifact.", {
  screenshot: "A screenshot of the page with masked card fields.",
  har: "A HAR of the requests, without bodies and cookies.",
  dom: "The DOM of the page.",
});

/** All columns except the bytes. */
const ARTIFACT = {
  ...{ id: true, orderId: true, kind: true, contentType: true },
  ...{ sha256: true, redactions: true, createdAt: true, removedAt: true },
} as const;
type ArtifactRow = Pick<CheckoutArtifact, keyof typeof ARTIFACT>;

const ArtifactType = builder.objectRef<ArtifactRow>("CheckoutArtifact").implement({
  description: "A file stored as evidence, redacted before storage.",
  fields: (t) => ({
    artifactId: t.exposeID("id", { description: "The id of the artifact, as referenced by steps." }),
    kind: t.field({
      type: ArtifactKindEnum,
      description: "The kind of the artifact.",
      resolve: ({ kind }) => kind as "screenshot",
    }),
    contentType: t.exposeString("contentType", { description: "The media type." }),
    url: t.field({
      type: "Url",
      description: "The download URL. It requires a credential that may read the order.",
      resolve: ({ id, orderId }, _args, { deps }) =>
        `${deps.site.baseUrl()}/api/autofill/orders/${orderId}/artifacts/${id}`,
    }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of the bytes, hexadecimal." }),
    redactions: t.exposeStringList("redactions", { description: "The kinds of content that were redacted." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the artifact was stored." }),
    removedAt: t.expose("removedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the bytes were deleted at the end of their retention. Null while they exist.",
    }),
  }),
});

const OrderStepType = builder.objectRef<CheckoutStep>("CheckoutOrderStep").implement({
  description: "A step of the merchant's checkout.",
  fields: (t) => ({
    seq: t.exposeInt("seq", { description: "The sequence number of the step, starting at 1." }),
    at: t.expose("at", { type: "DateTime", description: "Timestamp of the step." }),
    action: t.exposeString("action", { description: "The action performed." }),
    selector: t.exposeString("selector", { nullable: true, description: "The CSS selector of the affected element." }),
    urlOrigin: t.exposeString("urlOrigin", { nullable: true, description: "The origin of the page or frame." }),
    outcome: t.exposeString("outcome", { description: "The outcome of the action." }),
    screenshot: t.loadable({
      type: ArtifactType,
      nullable: true,
      description: "The screenshot of the page after the step; null if there is none.",
      load: (steps: readonly CheckoutStep[], { deps }: Context) => loadScreenshots(deps.db, steps),
      loaderOptions: { cache: false },
      resolve: (step) => (step.screenshotId === null ? null : step),
    }),
  }),
});

/** Loads the screenshots of steps. Null for a screenshot that the order does not have. */
async function loadScreenshots({ prisma }: Database, steps: readonly CheckoutStep[]): Promise<(ArtifactRow | null)[]> {
  const ids = steps.flatMap(({ screenshotId }) => screenshotId ?? []);
  const artifacts = await prisma.checkoutArtifact.findMany({ where: { id: { in: ids } }, select: ARTIFACT });
  return steps.map(
    ({ screenshotId, orderId }) => artifacts.find((one) => one.id === screenshotId && one.orderId === orderId) ?? null,
  );
}

const EvidenceType = builder.objectRef<CheckoutOrder>("CheckoutEvidence").implement({
  description: "A summary of the evidence of an order.",
  fields: (t) => ({
    available: t.boolean({
      description: "Whether the bundle is available, which is once the order has ended.",
      resolve: ({ status }) => isTerminal(status),
    }),
    bundleUrl: t.field({
      type: "Url",
      description: "The download URL of the bundle.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.baseUrl()}/api/autofill/orders/${id}/evidence`,
    }),
    sha256: t.string({
      nullable: true,
      complexity: 20,
      description: "SHA-256 of the signed bundle, hexadecimal; null until the order has ended.",
      resolve: async ({ id, status, bundleSha256 }, _args, { deps }) =>
        bundleSha256 ?? (isTerminal(status) ? ((await readEvidence(deps, id))?.bundle_sha256 ?? null) : null),
    }),
    merchantOrderNumber: t.exposeString("merchantOrderNumber", {
      nullable: true,
      description: "The order number assigned by the merchant.",
    }),
    confirmationUrl: t.expose("confirmationUrl", {
      type: "Url",
      nullable: true,
      description: "The URL of the merchant's confirmation page.",
    }),
    submittedAt: t.expose("submittedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp recorded before the card was submitted; null if it never was.",
    }),
    confirmedAt: t.expose("confirmedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp of the merchant's confirmation.",
    }),
  }),
});

builder.prismaObjectFields(CheckoutOrderNode, (t) => ({
  evidence: t.field({ type: EvidenceType, description: "A summary of the evidence.", resolve: (order) => order }),
  evidenceBundle: t.field({
    type: "JSON",
    nullable: true,
    complexity: 20,
    description:
      "The complete evidence bundle, including the full delivery address. Its JSON Schema is that of `GET /api/autofill/orders/{id}/evidence` in `/openapi.json`. Null until the order has ended.",
    resolve: ({ id }, _args, { deps }) => readEvidence(deps, id),
  }),
  steps: t.field({
    type: [OrderStepType],
    complexity: { field: 5, multiplier: 20 },
    select: { steps: { orderBy: { seq: "asc" } } },
    description: "The steps of the merchant's checkout.",
    resolve: ({ steps }) => steps,
  }),
  artifacts: t.field({
    type: [ArtifactType],
    complexity: { field: 5, multiplier: 20 },
    select: { artifacts: { select: ARTIFACT, orderBy: [{ createdAt: "asc" }, { id: "asc" }] } },
    description: "The files stored as evidence.",
    resolve: ({ artifacts }) => artifacts,
  }),
}));
