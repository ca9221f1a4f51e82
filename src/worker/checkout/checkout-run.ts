/** State of one checkout, shared by its steps. */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { WorkerSession } from "../session.ts";
import type { Values } from "./buyer.ts";
import type { AttemptCounts } from "./fill-form.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import type { Navigation } from "./navigation.ts";
import type { PageTrail } from "./page-trail.ts";

export interface CheckoutRun {
  readonly session: Pick<WorkerSession<PurchaseJob>, "job" | "step" | "signal" | "ask">;
  readonly navigation: Navigation;
  readonly merchantOrigins: MerchantOrigins;
  readonly trail: PageTrail;
  readonly recipe: RecipeDefinition | null;
  /** Whether the run ends before the card, without questions to the account owner, and places no order. */
  readonly isDryRun?: boolean;
  readonly values: Values;
  readonly attempts: AttemptCounts;
  /** Fields of the checkout's pages that received the street of the delivery, from `deliveryFieldsOf`. */
  readonly deliveryFields: Set<string>;
  /** Called when the delivery is to another address than the cardholder's, with whether the merchant bills the former. */
  readonly onBilling: (usesShipTo: boolean) => void;
}
