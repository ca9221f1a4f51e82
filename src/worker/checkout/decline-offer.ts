/** Declines what merchants offer on the way to the payment: warranties, insurance, donations, upgrades and memberships. */
import { choiceSetsOf } from "./choices.ts";
import { isOfPayment, namesDelivery } from "./delivery.ts";
import type { PageControl } from "./document-view.ts";
import type { FrameView } from "./page-snapshot.ts";

/** The whole text of a control that declines an offer. */
const DECLINE = new RegExp(
  `^(?:${[
    String.raw`no,? ?thank(?:s| you)\b.*|no,? (?:i|continue|proceed|skip|not|leave)\b.*|not (?:now|today|interested|this time)\b.*|skip(?: (?:this|offer|step|for now|and continue|upgrade))*|(?:i )?decline(?: (?:the )?(?:offer|cover|protection|insurance|warranty))?|maybe later|i(?:'|’)?ll pass|(?:continue|proceed|check ?out) without\b.*|without (?:protection|insurance|warranty|cover)\b.*|(?:i )?do(?: not|n(?:'|’)t) (?:want|need|add|protect)\b.*`,
    String.raw`nein,? danke\b.*|nein,? (?:ohne|weiter|nicht)\b.*|nicht (?:jetzt|heute|interessiert)|(?:weiter|fortfahren) ohne\b.*|ohne (?:schutz|versicherung|garantie)\b.*|überspringen|angebot ablehnen|ablehnen`,
    String.raw`non,? merci\b.*|pas maintenant|(?:continuer|poursuivre) sans\b.*|sans (?:assurance|garantie|protection)\b.*|passer(?: (?:cette (?:étape|offre)|l(?:'|’)offre))?|ignorer|refuser(?: l(?:'|’)offre)?`,
    String.raw`no,? gracias\b.*|ahora no|(?:continuar|seguir) sin\b.*|sin (?:seguro|garantía|protección)\b.*|omitir|saltar`,
    String.raw`no,? grazie\b.*|non ora|(?:continua|procedi) senza\b.*|senza (?:assicurazione|garanzia|protezione)\b.*|salta`,
    String.raw`nee,? (?:dank|bedankt|liever)\b.*|niet nu|(?:doorgaan|verder) zonder\b.*|zonder (?:verzekering|garantie)\b.*|overslaan`,
    String.raw`nie,? dzi[eę]kuj[eę].*|nie teraz|(?:kontynuuj|przejdź dalej) bez\b.*|bez (?:ubezpieczenia|ochrony|gwarancji).*|pomiń`,
    String.raw`nej,? (?:tack|tak|takk)\b.*|inte nu|ikke nå|ikke nu|(?:fortsätt|fortsæt|fortsett) (?:utan|uden|uten)\b.*|utan (?:försäkring|garanti)\b.*|hoppa över|spring over|hopp over|ei kiitos.*`,
    String.raw`não,? obrigad[oa]\b.*|agora não|continuar sem\b.*|sem (?:seguro|garantia)\b.*|pular`,
    "いいえ.*|今はしない|追加しない|(?:保険|保証)なし.*|スキップ|不要",
  ].join("|")})$`,
  "iu",
);
/** Controls that match `DECLINE` but leave the checkout or concern something else. */
const OTHER = /cancel|account|register|sign|log ?in|guest|unsubscribe|abbrechen|konto|anmeld|annuler/i;
/** What merchants add for a price and buyers do not need. */
const EXTRA =
  /protect|insur|warrant|\bcover(?:age)?\b|care plan|donat|round ?up|\btip\b|gift ?wrap|upgrade|member(?:ship)?|subscri|carbon|(?<!daten)schutz|versicher|garantie|spende|trinkgeld|geschenk(?:verpackung|papier)|assurance|pourboire|emballage cadeau|seguro|garantía|donación|propina|assicura|garanzia|donazione|verzeker|fooi|ubezpiecz|gwarancj|napiwek|försäkring|forsikring|donera|seguro|保険|保証|寄付/i;
const NONE =
  /^(?:no\b|none|not? (?:now|thanks)|without|decline|i (?:don(?:'|’)t|do not)|nein|ohne|kein|non\b|sans|aucun|sin\b|ningun|senza|nessun|nee\b|geen|zonder|nie\b|bez\b|brak|nej|inget|utan|uden|uten|não|sem\b|いいえ|不要|なし)/iu;

/** Returns the control that declines an offer; null if the page has none. */
export function declineControlOf({ controls }: FrameView): PageControl | null {
  return (
    controls.find(({ text, disabled }) => !disabled && text.length < 100 && isDecline(text) && !OTHER.test(text)) ??
    null
  );
}

/** Whether the text of a control declines an offer. */
export function isDecline(text: string): boolean {
  return DECLINE.test(text.replace(/^[✕×x\s]+|[\s.!→›»>]+$/giu, "").trim());
}

/** Selects “No” where a page offers an extra as a choice. Returns whether a selection changed. */
export async function declineChoice(view: FrameView): Promise<boolean> {
  for (const set of choiceSetsOf(view)) {
    const { title, choices } = set;
    if (isOfPayment(set) || namesDelivery(set)) continue;
    if (choices.length < 2 || ![title, ...choices.map(({ text }) => text)].some((text) => EXTRA.test(text))) continue;
    const none = choices.find(({ text }) => NONE.test(text.trim()));
    if (none && !none.isChosen && (await none.choose())) return true;
  }
  return false;
}
