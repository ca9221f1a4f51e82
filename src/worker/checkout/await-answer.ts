/** After the click: waits for the shop's word, and for the bank's where it asks the card's owner. Nothing is clicked any more. */
import type { DriveResult, WorkerSession } from "../session.ts";
import { challengeOriginOf, hasChallengeEnded } from "./bank.ts";
import type { PinnedOrigins } from "./card-fields.ts";
import { isConfirmation, readConfirmation } from "./confirmation.ts";
import type { Timing } from "./ending.ts";
import { purposeOf } from "./field-purposes.ts";
import { documentsOf, type FrameView, type PageView, snapshotPage } from "./page-snapshot.ts";
import type { PayGate } from "./pay-gate.ts";
import type { MerchantOrigins } from "./shop-origins.ts";
import type { Traffic } from "./traffic.ts";

export interface OutcomeOptions {
  readonly session: Pick<WorkerSession, "page" | "step" | "personNeeded">;
  readonly gate: PayGate;
  readonly traffic: Traffic;
  readonly timing: Timing;
  readonly merchantOrigins: MerchantOrigins;
  readonly pins: PinnedOrigins;
  readonly currency: string;
  /** What the page warned of before the click: it says nothing of the payment. */
  readonly knownAlerts: ReadonlySet<string>;
}

type Outcome = Pick<DriveResult, "cause" | "confirmation" | "merchantResponse">;

const POLL_INTERVAL_MS = 120;
const SNAPSHOT_MS = 1_500;
const DECLINED =
  /declin|card (?:was |has been |is )?(?:not accepted|refused|rejected|invalid|expired)|insufficient funds|payment (?:was |has been )?(?:declined|refused|rejected|not authori[sz]ed)|(?:could|can) ?(?:not|n(?:'|’)t) (?:charge|authori[sz]e) (?:your|the) card|(?:check|correct|invalid|incorrect) (?:your |the )?card|card (?:number|details|code)\b.{0,30}\b(?:invalid|incorrect|incomplete|wrong|not right)|abgelehnt|refusée|rechazad|rifiutat|geweigerd/i;
const NOT_CONFIRMED =
  /(?:bank|authenticat|verif|3-?d[ -]?secure).{0,70}(?:not|n't|fail|cancel|abort|reject)|(?:not|fail|cancel|abort).{0,70}(?:authenticat|verif|3-?d[ -]?secure|\bbank)|not confirm/i;
const MAX_EXCERPT_LENGTH = 2_000;

/** How it stands with the card's bank, and until when somebody's word is waited for. */
interface BankState {
  readonly bank: "unasked" | "asking" | "answered";
  readonly untilMs: number;
  /** What the bank asked last, and on which origin. */
  readonly challengeOrigin: string;
  readonly pageOrigin: string | null;
}

export async function awaitOutcome(options: OutcomeOptions): Promise<Outcome> {
  const { session, gate, traffic, timing, currency, merchantOrigins } = options;
  const isOfMerchant = ({ url }: FrameView) => merchantOrigins.has(url);
  let bankState: BankState = {
    bank: "unasked",
    untilMs: performance.now() + timing.answerMs,
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
    if (view) bankState = await updateBankState(options, view, bankState, nowMs);
    const { bank, untilMs } = bankState;
    if (view && bank !== "asking") {
      const verdict = readVerdict(view, {
        isAfterBank: bank === "answered",
        gate,
        traffic,
        knownAlerts: options.knownAlerts,
      });
      if (verdict !== null && verdict !== "thanks") return end(verdict);
      if (verdict === "thanks") {
        confirmedAtMs ??= nowMs;
        const confirmation = readConfirmation(view, currency, isOfMerchant);
        if (confirmation) {
          await session.step("read the confirmation", { outcome: "the order stands", screenshot: true });
          return end("confirmed", confirmation);
        }
        if (nowMs - confirmedAtMs > timing.confirmationMs) return end("outcome_unknown");
      }
    }
    if (gate.isLost) return end("outcome_unknown");
    if (nowMs > untilMs) return end(bank === "asking" ? "three_d_secure_abandoned" : "outcome_unknown");
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}

/** Calls the person when the bank asks for them, and goes on waiting for the shop once the bank's page is gone. */
async function updateBankState(
  { session, gate, timing, merchantOrigins, pins }: OutcomeOptions,
  view: PageView,
  previous: BankState,
  nowMs: number,
): Promise<BankState> {
  const challengeOrigin = gate.isLost ? null : challengeOriginOf(view, merchantOrigins, pins);
  const wasChallenging = previous.bank === "asking";
  if (challengeOrigin === null) {
    if (!wasChallenging || !hasChallengeEnded(view, previous.challengeOrigin)) return previous;
    await session.personNeeded(null);
    await session.step("wait for the bank", { outcome: "its page is gone" });
    return { ...previous, bank: "answered", untilMs: nowMs + timing.answerMs };
  }
  // The person acts on the page of one origin; banks that lead on to another are asked for again.
  const { origin } = new URL(view.main.url);
  if (wasChallenging && origin === previous.pageOrigin) return previous;
  if (!wasChallenging) gate.bankAsked();
  const untilMs = wasChallenging ? previous.untilMs : nowMs + timing.personMs;
  await session.step("wait for the bank", { outcome: "it asks the card's owner", screenshot: false });
  await session.personNeeded("three_d_secure", untilMs - nowMs);
  return { bank: "asking", untilMs, challengeOrigin, pageOrigin: origin };
}

/** What the page says of the payment; null while it says nothing. */
function readVerdict(
  view: PageView,
  {
    isAfterBank,
    gate,
    traffic,
    knownAlerts,
  }: Pick<OutcomeOptions, "gate" | "traffic" | "knownAlerts"> & { isAfterBank: boolean },
): "thanks" | "card_declined" | "three_d_secure_failed" | "outcome_unknown" | null {
  const status = traffic.statusOf(view.main.url);
  if (status !== null && status >= 500) return "outcome_unknown";
  // A payment whose answer is lost was perhaps charged, whatever the page makes of that.
  if (gate.isLost || gate.sent.some(({ state }) => state === "sent")) return null;
  const alertText = documentsOf(view)
    .flatMap(({ alerts }) => alerts.filter((alert) => !knownAlerts.has(alert)))
    .join("\n");
  if (isAfterBank && NOT_CONFIRMED.test(alertText)) return "three_d_secure_failed";
  if (DECLINED.test(alertText)) return "card_declined";
  // A page that still asks for a card confirms nothing, however it thanks.
  const hasCardField = documentsOf(view).some(({ fields }) =>
    fields.some((field) => purposeOf(field) === "card_number"),
  );
  return isConfirmation(view) && !hasCardField ? "thanks" : null;
}

function statusOf(view: PageView, gate: PayGate, traffic: Traffic): number | null {
  return traffic.statusOf(view.main.url) ?? gate.sent.at(-1)?.httpStatus ?? null;
}

/** Without what looks like the number of a card. */
function excerptOf(text: string): string {
  return text.replaceAll(/\d(?:[ -]?\d){12,18}/g, "…").slice(0, MAX_EXCERPT_LENGTH);
}
