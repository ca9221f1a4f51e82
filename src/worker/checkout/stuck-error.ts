/** Why a checkout does not continue. */
import { findCardFields } from "./card-receivers.ts";
import type { CheckoutRun } from "./checkout-run.ts";
import type { DeliveryPick } from "./delivery.ts";
import { CheckoutEndedError } from "./ending.ts";
import { rejectionError } from "./page-checks.ts";
import type { PageView } from "./page-snapshot.ts";
import { findPayControl } from "./payment-page.ts";
import { missingRequiredFields } from "./required-fields.ts";

const UNDELIVERABLE =
  /(?:cannot|can(?:'|’)t|do not|don(?:'|’)t|unable to|not) (?:be )?(?:deliver|ship|sen[dt])|no (?:shipping|delivery) (?:methods?|options?|rates?)|liefern (?:wir )?nicht|ne livr|no (?:enviamos|entregamos)|non (?:spediamo|consegniamo)/i;

/** Returns the error of a page without a control for the next step. */
export async function stuckError(
  run: CheckoutRun,
  view: PageView,
  delivery: DeliveryPick,
): Promise<CheckoutEndedError> {
  const { navigation, session } = run;
  const { main } = view;
  if (UNDELIVERABLE.test(main.text))
    return new CheckoutEndedError("form_rejected", "The merchant does not deliver the items to this address");
  if (delivery.otherCount > 0) {
    return session.job.fulfillment
      ? new CheckoutEndedError("missing_field", "The approved delivery option is not offered")
      : new CheckoutEndedError("form_rejected", "The merchant offers no delivery option");
  }
  if (navigation.traffic.hasFormErrors)
    return new CheckoutEndedError("form_rejected", "The merchant rejected the form data");
  if (navigation.traffic.hasBrokenFrame)
    return new CheckoutEndedError("shop_unavailable", "The card fields did not load");
  // Without pinned frames, an objection ends the checkout before.
  const pay = await findPayControl(view, run);
  const objection = pay && (await findCardFields(view, await pay.element(), run)).objection;
  if (objection !== null && session.job.cardEntry.frameOrigins !== null)
    return new CheckoutEndedError("missing_field", objection);
  if (missingRequiredFields(main).length > 0) return rejectionError(main);
  return new CheckoutEndedError("missing_field", "No control for the next step found");
}
