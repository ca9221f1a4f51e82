/** After the click: waits for the shop's word, and for the bank's where it asks the card's owner. Nothing is clicked any more. */
import type { DriveResult, WorkerSession } from "../session.ts";
import { askingBank, hasLeft } from "./bank.ts";
import type { Pins } from "./card-fields.ts";
import { isConfirmation, readConfirmation } from "./confirmation.ts";
import type { Timing } from "./ending.ts";
import { purposeOf } from "./field-purposes.ts";
import { documentsOf, type FrameView, look, type PageView } from "./look.ts";
import type { PayGate } from "./pay-gate.ts";
import type { ShopOrigins } from "./shop-origins.ts";
import type { Traffic } from "./traffic.ts";

export interface Answering {
  readonly session: Pick<WorkerSession, "page" | "step" | "personNeeded">;
  readonly gate: PayGate;
  readonly traffic: Traffic;
  readonly timing: Timing;
  readonly shop: ShopOrigins;
  readonly pins: Pins;
  readonly currency: string;
  /** What the page warned of before the click: it says nothing of the payment. */
  readonly known: ReadonlySet<string>;
}

type Outcome = Pick<DriveResult, "cause" | "confirmation" | "merchantResponse">;

const LOOK_AGAIN_MS = 120;
const LOOK_MS = 1_500;
const DECLINED =
  /declin|card (?:was |has been |is )?(?:not accepted|refused|rejected|invalid|expired)|insufficient funds|payment (?:was |has been )?(?:declined|refused|rejected|not authori[sz]ed)|(?:could|can) ?(?:not|n(?:'|’)t) (?:charge|authori[sz]e) (?:your|the) card|(?:check|correct|invalid|incorrect) (?:your |the )?card|card (?:number|details|code)\b.{0,30}\b(?:invalid|incorrect|incomplete|wrong|not right)|abgelehnt|refusée|rechazad|rifiutat|geweigerd/i;
const NOT_CONFIRMED =
  /(?:bank|authenticat|verif|3-?d[ -]?secure).{0,70}(?:not|n't|fail|cancel|abort|reject)|(?:not|fail|cancel|abort).{0,70}(?:authenticat|verif|3-?d[ -]?secure|\bbank)|not confirm/i;
const LONGEST_EXCERPT = 2_000;

export async function awaitAnswer(answering: Answering): Promise<Outcome> {
  const { session, gate, traffic, timing, currency, shop } = answering;
  const isOfShop = ({ url }: FrameView) => shop.has(url);
  let untilMs = performance.now() + timing.answerMs;
  let saidThanksAtMs: number | null = null;
  let bank: "unasked" | "asking" | "answered" = "unasked";
  let asked = "";
  let askedOn: string | null = null;
  for (;;) {
    const view = await look(session.page, LOOK_MS).catch(() => null);
    const nowMs = performance.now();
    const end = (cause: Outcome["cause"], confirmation: Outcome["confirmation"] = null): Outcome => ({
      cause,
      confirmation,
      merchantResponse: view && { httpStatus: statusOf(view, gate, traffic), textExcerpt: excerptOf(view.main.text) },
    });
    const asking = view && !gate.isLost ? askingBank(view, shop, answering.pins) : null;
    const origin = view && new URL(view.main.url).origin;
    if (asking !== null && (bank !== "asking" || origin !== askedOn)) {
      // The person acts on the page of one origin; banks that lead on to another are asked for again.
      if (bank !== "asking") {
        untilMs = nowMs + timing.personMs;
        gate.bankAsked();
      }
      bank = "asking";
      askedOn = origin;
      asked = asking;
      await session.step("wait for the bank", { outcome: "it asks the card's owner", screenshot: false });
      await session.personNeeded("three_d_secure", untilMs - nowMs);
    } else if (asking === null && bank === "asking" && view && hasLeft(view, asked)) {
      bank = "answered";
      untilMs = nowMs + timing.answerMs;
      await session.personNeeded(null);
      await session.step("wait for the bank", { outcome: "its page is gone" });
    }
    if (view && bank !== "asking") {
      const judged = judge(view, { isAfterBank: bank === "answered", gate, traffic, known: answering.known });
      if (judged === "thanks") {
        saidThanksAtMs ??= nowMs;
        const confirmation = readConfirmation(view, currency, isOfShop);
        if (confirmation) {
          await session.step("read the confirmation", { outcome: "the order stands", screenshot: true });
          return end("confirmed", confirmation);
        }
        if (nowMs - saidThanksAtMs > timing.confirmationMs) return end("outcome_unknown");
      } else if (judged !== null) return end(judged);
    }
    if (gate.isLost) return end("outcome_unknown");
    if (nowMs > untilMs) return end(bank === "asking" ? "three_d_secure_abandoned" : "outcome_unknown");
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** What the page says of the payment; null while it says nothing. */
function judge(
  view: PageView,
  { isAfterBank, gate, traffic, known }: Pick<Answering, "gate" | "traffic" | "known"> & { isAfterBank: boolean },
): "thanks" | "card_declined" | "three_d_secure_failed" | "outcome_unknown" | null {
  const status = traffic.statusOf(view.main.url);
  if (status !== null && status >= 500) return "outcome_unknown";
  // A payment whose answer is lost was perhaps charged, whatever the page makes of that.
  if (gate.isLost || gate.sent.some(({ state }) => state === "sent")) return null;
  const said = documentsOf(view)
    .flatMap(({ alerts }) => alerts.filter((alert) => !known.has(alert)))
    .join("\n");
  if (isAfterBank && NOT_CONFIRMED.test(said)) return "three_d_secure_failed";
  if (DECLINED.test(said)) return "card_declined";
  // A page that still asks for a card confirms nothing, however it thanks.
  const asksForCard = documentsOf(view).some(({ fields }) =>
    fields.some((field) => purposeOf(field) === "card_number"),
  );
  return isConfirmation(view) && !asksForCard ? "thanks" : null;
}

function statusOf(view: PageView, gate: PayGate, traffic: Traffic): number | null {
  return traffic.statusOf(view.main.url) ?? gate.sent.at(-1)?.httpStatus ?? null;
}

/** Without what looks like the number of a card. */
function excerptOf(text: string): string {
  return text.replaceAll(/\d(?:[ -]?\d){12,18}/g, "…").slice(0, LONGEST_EXCERPT);
}
