/** Detection of automated mail, to which no automatic reply should be sent (RFC 3834). */
import type { Automated } from "./incoming-message.ts";

/** Returns the value of a header field by its lower-case name; undefined when absent. */
export type HeaderReader = (name: string) => string | undefined;

/**
 * Subjects of out-of-office notices in the languages of the larger mail services: a phrase of the service, then a colon or the end.
 * A reply to such a notice, written by hand, begins with `Re:`.
 */
const NOTICES = [
  "auto(?:matic|mated)?[ -]?(?:reply|response)?|autoreply|out of (?:the )?office(?: auto(?:matic )?-?reply)?",
  "automatische antwort|abwesenheits(?:notiz|nachricht|benachrichtigung)|abwesend",
  "réponse automatique|absen(?:t|te|ce)(?:\\(e\\))? du bureau|message d['’]absence",
  "respuesta automática|fuera de (?:la )?oficina|risposta automatica|fuori (?:sede|ufficio)",
  "resposta automática|fora do escritório|ausência temporária",
  "automatisch (?:antwoord|bericht)|automatische reactie|afwezig(?:heidsbericht)?",
  "automatiskt? svar|autosvar|frånvaro(?:meddelande)?|fravær(?:sbesked|smelding)?|automaattinen vastaus|poissaoloviesti",
  "automatyczna odpowiedź|odpowiedź automatyczna|automatická odpově[dď]|automatická odpoveď|mimo kancelář",
  "автоматический ответ|автоответ|вне офиса|автоматична відповідь",
  "otomatik yanıt|ofis dışında|automatikus válasz|răspuns automat|αυτόματη απάντηση",
  "自動応答|自動返信|不在(?:通知)?|自动(?:答复|回复)|自動(?:答覆|回覆)|자동 ?(?:회신|응답)|부재 ?중",
].join("|");
const NOTICE = new RegExp(`^(?:${NOTICES})\\s*(?:[:：]|$)`, "iu");

/**
 * Classifies a message as bulk mail or an automatic reply; null for mail written by hand. `report.ts` recognises reports.
 * @param envelopeFrom empty for messages that accept no reply
 */
export function classifyAutomated(header: HeaderReader, envelopeFrom: string): Automated | null {
  const submitted = header("auto-submitted")?.toLowerCase().trim();
  const precedence = header("precedence")?.toLowerCase().trim();
  // Checked before Auto-Submitted: newsletters have List-* fields beside "auto-generated".
  if (
    ["list-id", "list-post", "list-unsubscribe", "list-help", "x-mailing-list"].some(
      (name) => header(name) !== undefined,
    )
  )
    return "bulk";
  if (precedence !== undefined && ["bulk", "list", "junk"].includes(precedence) && !isAutoReply(header, submitted))
    return "bulk";
  if (isAutoReply(header, submitted) || precedence === "auto_reply") return "auto_reply";
  if (submitted !== undefined && !/^no(?:$|[\s;(])/.test(submitted)) return "auto_reply";
  // A null sender accepts no replies, regardless of the header.
  return envelopeFrom === "" ? "auto_reply" : null;
}

function isAutoReply(header: HeaderReader, submitted: string | undefined): boolean {
  return (
    submitted?.startsWith("auto-replied") === true ||
    ["x-autoreply", "x-autorespond", "x-auto-reply"].some((name) => header(name) !== undefined) ||
    NOTICE.test(header("subject")?.normalize("NFC").trim() ?? "")
  );
}
