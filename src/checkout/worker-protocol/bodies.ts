/** Request bodies of workers. Rejects unknown fields, so a worker of another version fails immediately. */
import { z } from "zod";
import { toStorableText } from "../../platform/database/text.ts";
import { WORKER_CAUSES } from "../orders/finish-order.ts";
import { MAX_STEPS } from "../orders/record-run.ts";
import { DryRunBody } from "./dry-run.ts";
import { ExplorationBody } from "./exploration.ts";
import { MAX_SLOTS } from "./slots.ts";

/** A text of limited length, without characters that PostgreSQL cannot store. */
const text = (longest: number) => z.string().max(longest).transform(toStorableText);

const address = z.url({ protocol: /^https?$/ }).max(2_048);
const amountMinor = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const ClaimBody = z.strictObject({
  /** URL at which the service connects to the worker for the live view. */
  workerUrl: address,
  /** Number of orders that the worker drives concurrently (`slotLimitsOf`). */
  slots: z.int().min(1).max(MAX_SLOTS),
  /** Maximum wait for an order. */
  waitMs: z.int().min(0).max(20_000).default(20_000),
});

export const StepsBody = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        seq: z.int().min(1).max(MAX_STEPS),
        at: z.iso.datetime().transform((time) => new Date(time)),
        action: text(200),
        selector: text(500).nullable().default(null),
        urlOrigin: text(500).nullable().default(null),
        outcome: text(500),
        screenshotId: z
          .string()
          .regex(/^art_\w{1,80}$/)
          .nullable()
          .default(null),
      }),
    )
    .min(1)
    .max(100),
});

export const PersonNeededBody = z.strictObject({
  for: z.enum(["three_d_secure", "security_code"]).nullable(),
  /** How long the worker waits for the cardholder; null if unknown. */
  waitMs: z.int().min(0).max(86_400_000).nullable().default(null),
});

export const AnswerBody = z.strictObject({
  /** Maximum wait for the answer. */
  waitMs: z.int().min(0).max(20_000).default(20_000),
});

/** Query parameters of an artifact upload; the body contains its bytes. */
export const ArtifactQuery = z.strictObject({
  kind: z.enum(["screenshot", "har", "dom"]),
  /** Comma-separated names of redacted items. */
  redactions: text(1_000)
    .default("")
    .transform((list) => list.split(",").filter((name) => name !== "")),
});

export const FinishBody = z
  .strictObject({
    cause: z.enum(WORKER_CAUSES),
    confirmation: z
      .strictObject({
        orderNumber: text(200),
        amountChargedMinor: amountMinor,
        currency: z.string().regex(/^[A-Z]{3}$/),
        url: address.nullable().default(null),
      })
      .nullable()
      .default(null),
    /** Whether a recorded submission is withdrawn, because nothing that can change state left the browser. */
    withdrawsSubmission: z.boolean().default(false),
    merchantResponse: z
      .strictObject({ httpStatus: z.int().min(100).max(599).nullable(), textExcerpt: text(2_000).nullable() })
      .nullable()
      .default(null),
    browserVersion: text(100).nullable().default(null),
    /** Whether the merchant billed the delivery address; null if not seen, or if it is the cardholder's. */
    billingUsesShipTo: z.boolean().nullable().default(null),
    exploration: ExplorationBody.nullable().default(null),
    dryRun: DryRunBody.nullable().default(null),
  })
  .refine(({ cause, confirmation }) => cause !== "confirmed" || confirmation !== null, {
    path: ["confirmation"],
    error: "is required with confirmed",
  })
  .refine(({ cause, exploration, dryRun }) => cause !== "explored" || exploration !== null || dryRun !== null, {
    path: ["exploration"],
    error: "or dryRun is required with explored",
  });
