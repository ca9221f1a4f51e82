/** Waits for the outcome of a submitted payment, including a 3-D Secure challenge. Nothing is clicked any more. */

import type { Money } from "../../checkout/money.ts";
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { findChallenge, hasChallengeEnded } from "./bank-challenge.ts";
import type { PinnedOrigins } from "./card-fields.ts";
import { isConfirmation, readConfirmation } from "./confirmation.ts";
import { CheckoutEndedError, type Timing } from "./ending.ts";
import { purposeOf } from "./field-purposes.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { documentsOf, type FrameView, type PageView, snapshotPage } from "./page-snapshot.ts";
import type { PayGate } from "./pay-gate.ts";
import type { Traffic } from "./traffic.ts";

export interface OutcomeOptions {
  readonly session: WorkerSession<PurchaseJob>;
  readonly gate: PayGate;
  readonly traffic: Traffic;
  readonly timing: Timing;
  readonly merchantOrigins: MerchantOrigins;
  readonly pins: PinnedOrigins;
  readonly currency: string;
  /** Total that the merchant stated beside the pressed control. It counts if the confirmation states none. */
  readonly total: Money;
  /** When the control was pressed, as `performance.now()`. */
  readonly pressedAtMs: number;
  /** Alerts shown before the click. They say nothing about the payment. */
  readonly knownAlerts: ReadonlySet<string>;
}

type Outcome = Pick<DriveResult, "cause" | "confirmation" | "merchantResponse">;

const POLL_INTERVAL_MS = 120;
const SNAPSHOT_MS = 1_500;
const DECLINED =
  /declin|card (?:was |has been |is )?(?:not accepted|refused|rejected|invalid|expired)|insufficient funds|payment (?:was |has been )?(?:declined|refused|rejected|not authori[sz]ed)|(?:could|can) ?(?:not|n(?:'|’)t) (?:charge|authori[sz]e) (?:your|the) card|(?:check|correct|invalid|incorrect) (?:your |the )?card|card (?:number|details|code)\b.{0,30}\b(?:invalid|incorrect|incomplete|wrong|not right)|abgelehnt|refusée|rechazad|rifiutat|geweigerd/i;
const NOT_CONFIRMED =
  /(?:bank|authenticat|verif|3-?d[ -]?secure).{0,70}(?:not|n't|fail|cancel|abort|reject)|(?:not|fail|cancel|abort).{0,70}(?:authenticat|verif|3-?d[ -]?secure|\bbank)|not confirm/i;
/** Instructions while a payment is in progress. Their "not" says nothing about its outcome. */
const INSTRUCTION =
  /(?:do not|don(?:'|’)t|never) (?:close|refresh|reload|leave|press|click|navigate|go back|use|exit|interrupt|submit)\b[^.!\n]*/gi;
const MAX_EXCERPT_LENGTH = 2_000;

/** State of the bank's challenge, and the deadline for the cardholder or the merchant. */
interface BankState {
  readonly bank: "none" | "challenging" | "ended";
  readonly untilMs: number;
  /** Origin of the bank's latest challenge, and of the page that shows it. */
  readonly challengeOrigin: string;
  readonly pageOrigin: string | null;
}

/** @throws {CheckoutEndedError} nothing that can change state has left since the card was released */
export async function awaitOutcome(options: OutcomeOptions): Promise<Outcome> {
  const { session, gate, traffic, timing, currency, merchantOrigins, pressedAtMs } = options;
  const isOfMerchant = ({ url }: FrameView) => merchantOrigins.has(url);
  let bankState: BankState = {
    bank: "none",
    untilMs: performance.now() + timing.outcomeMs,
    challengeOrigin: "",
    pageOrigin: null,
  };
  let confirmedAtMs: number | null = null;
  for (;;) {
    const view = await snapshotPage(session.page, SNAPSHOT_MS).catch(() => null);
    const nowMs = performance.now();
    const end = (cause: Outcome["cause"], confirmation: Outcome["confirmation"] = null): Outcome => ({
      cause,
      confirmation,
      merchantResponse: view && { httpStatus: statusOf(view, gate, traffic), textExcerpt: excerptOf(view.main.text) },
    });
    if (gate.failure) throw gate.failure;
    if (view && !gate.isCommitting) bankState = await updateBankState(options, view, bankState, nowMs);
    const { bank, untilMs } = bankState;
    if (view && bank !== "challenging") {
      const verdict = readVerdict(view, {
        isAfterBank: bank === "ended",
        gate,
        traffic,
        knownAlerts: options.knownAlerts,
      });
      if (verdict !== null && verdict !== "confirmation") return end(verdict);
      if (verdict === "confirmation") {
        confirmedAtMs ??= nowMs;
        // Otherwise the order would end as one that was not charged.
        if (!gate.isCommitted) await gate.recordUnrecognised(() => session.recordSubmission());
        const confirmation = readConfirmation(view, currency, isOfMerchant);
        if (confirmation) {
          await session.step("Read the confirmation", { outcome: "Order confirmed", screenshot: true });
          return end("confirmed", confirmation);
        }
        if (nowMs - confirmedAtMs > timing.confirmationMs) {
          const withoutTotal = readConfirmation(view, currency, isOfMerchant, options.total);
          if (!withoutTotal) return end("outcome_unknown");
          const outcome = "Order confirmed without a total; the payment page's counts";
          await session.step("Read the confirmation", { outcome, screenshot: true });
          return end("confirmed", withoutTotal);
        }
      }
    }
    if (gate.isLost) return end("outcome_unknown");
    if (!gate.hasLeft && nowMs - pressedAtMs > timing.unsentMs) throw unsentError(gate);
    if (nowMs > untilMs) return end(bank === "challenging" ? "three_d_secure_abandoned" : "outcome_unknown");
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** Requests the cardholder when the bank issues a challenge. Once the challenge has ended, waits for the merchant again. */
async function updateBankState(
  { session, gate, timing, merchantOrigins, pins }: OutcomeOptions,
  view: PageView,
  previous: BankState,
  nowMs: number,
): Promise<BankState> {
  const challenge = gate.isLost ? null : findChallenge(view, merchantOrigins, pins);
  const wasChallenging = previous.bank === "challenging";
  if (challenge === null) {
    if (!wasChallenging || !hasChallengeEnded(view, previous.challengeOrigin)) return previous;
    await session.setRequiredAction(null);
    await session.step("Wait for the bank", { outcome: "Challenge ended" });
    return { ...previous, bank: "ended", untilMs: nowMs + timing.outcomeMs };
  }
  session.setChallengeFrame(challenge.frame);
  // Viewer input is limited to one page origin, so a challenge that continues on another origin is reported again.
  const { origin } = new URL(view.main.url);
  if (wasChallenging && origin === previous.pageOrigin) return previous;
  if (!wasChallenging) gate.allowAfterChallenge();
  const untilMs = wasChallenging ? previous.untilMs : nowMs + timing.cardholderMs;
  await session.step("Wait for the bank", { outcome: "Challenge requires the cardholder", screenshot: false });
  await session.setRequiredAction("three_d_secure", untilMs - nowMs);
  return { bank: "challenging", untilMs, challengeOrigin: challenge.origin, pageOrigin: origin };
}

/** Returns the payment's outcome according to the page, or null while the page states none. */
function readVerdict(
  view: PageView,
  {
    isAfterBank,
    gate,
    traffic,
    knownAlerts,
  }: Pick<OutcomeOptions, "gate" | "traffic" | "knownAlerts"> & { isAfterBank: boolean },
): "confirmation" | "card_declined" | "three_d_secure_failed" | "outcome_unknown" | null {
  const status = traffic.statusOf(view.main.url);
  if (status !== null && status >= 500) return "outcome_unknown";
  // If the response to a payment is lost, the card may have been charged, regardless of the page's text.
  if (gate.isLost || gate.sent.some(({ state }) => state === "sent")) return null;
  const alertText = documentsOf(view)
    .flatMap(({ alerts }) => alerts.filter((alert) => !knownAlerts.has(alert)))
    .join("\n");
  if (isAfterBank && isNotConfirmed(alertText)) return "three_d_secure_failed";
  if (DECLINED.test(alertText)) return "card_declined";
  // A page that still has a card field confirms nothing, even if it contains a thank-you text.
  const hasCardField = documentsOf(view).some(({ fields }) =>
    fields.some((field) => purposeOf(field) === "card_number"),
  );
  return isConfirmation(view) && !hasCardField ? "confirmation" : null;
}

/** Whether alerts state that the bank did not confirm the payment. */
export function isNotConfirmed(alerts: string): boolean {
  return NOT_CONFIRMED.test(alerts.replaceAll(INSTRUCTION, ""));
}

/** Returns why the press sent nothing. */
function unsentError(gate: PayGate): CheckoutEndedError {
  if (gate.sent.length > 0)
    return new CheckoutEndedError("shop_unavailable", "The payment could not be sent: no connection");
  return new CheckoutEndedError("payment_not_sent", "The page sent no payment after the press");
}

function statusOf(view: PageView, gate: PayGate, traffic: Traffic): number | null {
  return traffic.statusOf(view.main.url) ?? gate.sent.at(-1)?.httpStatus ?? null;
}

/** Returns an excerpt without digits that look like a card number. */
function excerptOf(text: string): string {
  return text.replaceAll(/\d(?:[ -]?\d){12,18}/g, "…").slice(0, MAX_EXCERPT_LENGTH);
}
