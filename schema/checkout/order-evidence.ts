/** What shows how an order went: the steps, what was kept of them, and the signed bundle. */
import type { CheckoutArtifact, CheckoutOrder, CheckoutStep } from "../../generated/prisma/client.ts";
import { evidenceOf } from "../../src/checkout/orders/evidence.ts";
import { isTerminal } from "../../src/checkout/orders/states.ts";
import { builder } from "../builder.ts";
import { CheckoutOrderNode } from "./orders.ts";

const OrderStepType = builder.objectRef<CheckoutStep>("CheckoutOrderStep").implement({
  description: "One thing that was done at the shop's checkout.",
  fields: (t) => ({
    seq: t.exposeInt("seq", { description: "Its number, in the order of doing." }),
    at: t.expose("at", { type: "DateTime", description: "When." }),
    action: t.exposeString("action", { description: "What was done." }),
    selector: t.exposeString("selector", { nullable: true, description: "To which part of the page." }),
    urlOrigin: t.exposeString("urlOrigin", { nullable: true, description: "The origin of the page, or of the frame." }),
    outcome: t.exposeString("outcome", { description: "What came of it." }),
    screenshotId: t.exposeString("screenshotId", { nullable: true, description: "The artifact that shows it." }),
  }),
});

const ArtifactKindEnum = builder.enumType("CheckoutArtifactKind", {
  description: "What was kept as evidence.",
  values: {
    screenshot: { description: "A picture of the page, card fields masked." },
    har: { description: "The requests that were made, without bodies and cookies." },
    dom: { description: "The page's structure." },
  },
});

/** Everything but the bytes. */
const ARTIFACT = {
  ...{ id: true, orderId: true, kind: true, contentType: true },
  ...{ sha256: true, redactions: true, createdAt: true },
} as const;
type ArtifactRow = Pick<CheckoutArtifact, keyof typeof ARTIFACT>;

const ArtifactType = builder.objectRef<ArtifactRow>("CheckoutArtifact").implement({
  description: "Something kept as evidence, redacted before it was stored.",
  fields: (t) => ({
    artifactId: t.exposeString("id", { description: "Its id, as steps name it." }),
    kind: t.field({ type: ArtifactKindEnum, description: "What it is.", resolve: ({ kind }) => kind as "screenshot" }),
    contentType: t.exposeString("contentType", { description: "Its media type." }),
    url: t.field({
      type: "Url",
      description: "Where it is read, with the credential that reads the order.",
      resolve: ({ id, orderId }, _args, { deps }) =>
        `${deps.site.baseUrl()}/api/autofill/orders/${orderId}/artifacts/${id}`,
    }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of its bytes, hexadecimal." }),
    redactions: t.exposeStringList("redactions", { description: "What was taken out of it." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was kept." }),
  }),
});

const EvidenceType = builder.objectRef<CheckoutOrder>("CheckoutEvidence").implement({
  description: "What shows how an order went, in short.",
  fields: (t) => ({
    available: t.boolean({
      description: "Whether the bundle can be read: from the order's end on.",
      resolve: ({ status }) => isTerminal(status),
    }),
    bundleUrl: t.field({
      type: "Url",
      description: "Where the bundle is read.",
      resolve: ({ id }, _args, { deps }) => `${deps.site.baseUrl()}/api/autofill/orders/${id}/evidence`,
    }),
    sha256: t.string({
      nullable: true,
      complexity: 20,
      description: "The signed bundle's digest; null until the order has ended.",
      resolve: async ({ id, status, bundleSha256 }, _args, { deps }) =>
        bundleSha256 ?? (isTerminal(status) ? ((await evidenceOf(deps, id))?.bundle_sha256 ?? null) : null),
    }),
    merchantOrderNumber: t.exposeString("merchantOrderNumber", { nullable: true, description: "The shop's number." }),
    confirmationUrl: t.expose("confirmationUrl", {
      type: "Url",
      nullable: true,
      description: "The shop's page that confirmed it.",
    }),
    submittedAt: t.expose("submittedAt", {
      type: "DateTime",
      nullable: true,
      description: "Stamped before the click that pays; null: the card was never submitted.",
    }),
    confirmedAt: t.expose("confirmedAt", { type: "DateTime", nullable: true, description: "When the shop confirmed." }),
  }),
});

builder.prismaObjectFields(CheckoutOrderNode, (t) => ({
  evidence: t.field({ type: EvidenceType, description: "What shows how it went.", resolve: (order) => order }),
  evidenceBundle: t.field({
    type: "JSON",
    nullable: true,
    complexity: 20,
    description: "All of it, as REST shows it, the full address included; null until the order has ended.",
    resolve: ({ id }, _args, { deps }) => evidenceOf(deps, id),
  }),
  steps: t.field({
    type: [OrderStepType],
    complexity: { field: 5, multiplier: 20 },
    select: { steps: { orderBy: { seq: "asc" } } },
    description: "What was done at the shop's checkout.",
    resolve: ({ steps }) => steps,
  }),
  artifacts: t.field({
    type: [ArtifactType],
    complexity: { field: 5, multiplier: 20 },
    select: { artifacts: { select: ARTIFACT, orderBy: [{ createdAt: "asc" }, { id: "asc" }] } },
    description: "What was kept of it.",
    resolve: ({ artifacts }) => artifacts,
  }),
}));
