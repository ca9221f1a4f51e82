/**
 * Consent dialogs, cookie bars, newsletter dialogs and similar boxes over a page. They are closed with the choice that
 * accepts the least. Nothing is ever accepted: a bar that offers nothing else is hidden.
 */
import { click } from "./click.ts";
import { findControl } from "./controls.ts";
import type { Overlay, PageControl, PageField } from "./document-view.ts";
import { purposeOf } from "./field-purposes.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { withTimeout } from "./with-timeout.ts";

const CONSENT =
  /cookie|consent|gdpr|\bdsgvo\b|tracking|datenschutzeinstellung|privatsphäre|vie privée|traceurs|privacidad|privacy (?:settings|preferences|choices)|we value your privacy|informasjonskapsler|evästeet|クッキー/i;
/** Names of consent managers in their markup. */
const CONSENT_MARKS =
  /cookie|consent|gdpr|onetrust|usercentrics|cybot|didomi|truste|cmp\b|klaro|iubenda|osano|quantcast/i;
/** The least that can be accepted, from the best. */
const REFUSALS: readonly RegExp[] = [
  /\b(?:reject|refuse|decline|deny|disagree)\b|do not (?:accept|consent|allow)|only (?:necessary|essential|required)|(?:necessary|essential|required)(?: cookies)? only|continue without|use necessary|ablehnen|nur (?:notwendige|erforderliche|essenzielle|technisch)|ohne (?:einwilligung|zustimmung)|(?:tout |tous )?refuser|continuer sans|rechazar|solo (?:necesarias|esenciales|lo necesario)|rifiuta|solo (?:necessari|essenziali)|continua senza|weiger|alleen (?:noodzakelijke|functionele)|afwijzen|rejeitar|recusar|apenas necess|odrzuć|odmawiam|tylko niezbędne|odmítnout|avvisa|neka\b|endast nödvändiga|bara nödvändiga|afvis|kun nødvendige|avslå|hylkää|vain välttämättömät|拒否|必要なもののみ|拒绝|거부/i,
  /\bsave\b|confirm (?:my )?(?:choices|selection)|auswahl (?:speichern|bestätigen)|speichern|enregistrer|confirmer mes choix|guardar|confirmar|salva|conferma|opslaan|selectie|zapisz|spara|gem valg|lagre|tallenna|保存/i,
  /^\s*(?:[×✕✖⨯x]|close|dismiss|schließen|fermer|cerrar|chiudi|sluiten|fechar|zamknij|zavřít|stäng|luk|lukk|sulje|閉じる|关闭|닫기)\b|close|[×✕✖]/i,
  /manage|settings|preferences|customi[sz]e|options|einstellungen|anpassen|optionen|paramétr|personnaliser|gérer|configurar|preferencias|personalizza|impostazioni|instellingen|voorkeuren|ustawienia|nastavení|inställningar|indstillinger|innstillinger|asetukset|設定/i,
];
const ACCEPTANCE =
  /accept|agree|allow|akzeptier|zustimm|einverstanden|accepter|aceptar|accetta|accepteer|akkoord|akceptuj|godkänn|tillåt|tillad|godta|hyväksy|同意/i;
const CLOSE =
  /^\W*(?:[×✕✖⨯x]|close|dismiss|no,? thanks?|no thank you|not now|maybe later|skip|schließen|nein,? danke|jetzt nicht|später|fermer|non,? merci|plus tard|cerrar|no,? gracias|ahora no|chiudi|no,? grazie|sluiten|nee,? bedankt|fechar|não,? obrigad[oa]|zamknij|nie,? dziękuję|stäng|nej,? tack|luk|nej,? tak|lukk|nei,? takk|sulje|ei kiitos|閉じる)\W*(?:$|this|dialog|window|popup|banner|modal|overlay)/i;
const ADVERTISING_DIALOG =
  /newsletter|sign ?up|subscribe|% ?off|discount|rabatt|gutschein|exclusive offer|join (?:us|our)|abonnier|inscri|suscr|iscriv|country|region|ship(?:ping)? to|language|sprache|langue|notification|app\b/i;
/** Dialogs that propose another address. The approved one stays. */
const ADDRESS_DIALOG = /address|adresse|dirección|indirizzo|\badres/i;
const APPROVED_ADDRESS =
  /as (?:i )?entered|(?:use|keep) (?:my|the|this|original|entered|current)\b.*address|keep (?:it|as is)|wie eingegeben|eingegebene adresse|(?:garder|conserver|utiliser) (?:mon|l['’])adresse (?:saisie)?|mantener|como (?:la )?escrib|mantieni|behouden|zachowaj|behåll/i;
const MIN_BLOCKING_AREA = 20;
const ACTION_MS = 2_000;

/** An overlay and the control that closes it; null if it can only be hidden. */
interface Dismissal {
  readonly view: FrameView;
  readonly overlay: Overlay | null;
  readonly control: PageControl | null;
}

/**
 * Closes one overlay of the page. Returns a description for the evidence; null if there is none to close.
 * @param tried overlays of the page that did not close; the function adds to it
 */
export async function dismissOverlay(view: PageView, tried: Set<string>): Promise<string | null> {
  for (const document of documentsOf(view)) {
    const dismissal = await findDismissal(document, document === view.main, tried);
    if (!dismissal) continue;
    const { overlay, control } = dismissal;
    tried.add(keyOf(document, overlay, control));
    const element = await document.element(control?.index ?? overlay?.index ?? -1);
    if (!element) continue;
    if (control) {
      if (await click(element)) return control.text;
      continue;
    }
    await withTimeout(element.evaluate(hide), ACTION_MS).catch(() => null);
    return "Hidden without a choice";
  }
  return null;
}

async function findDismissal(view: FrameView, isMain: boolean, tried: Set<string>): Promise<Dismissal | null> {
  const find = async (overlay: Overlay | null, controls: readonly PageControl[], fields: readonly PageField[]) => {
    const usable = controls.filter(({ disabled }) => !disabled);
    const isConsent =
      overlay === null
        ? CONSENT.test(`${view.title} ${view.text}`)
        : CONSENT.test(overlay.text) || CONSENT_MARKS.test(overlay.marks);
    const hasForm = fields.some((field) => !/^(?:email|phone|full_name|first_name)?$/.test(purposeOf(field) ?? ""));
    if (hasForm || (await leadsOn(view, usable))) return null;
    const found = isConsent
      ? refusalIn(usable)
      : overlay?.isDialog && ADDRESS_DIALOG.test(overlay.text)
        ? (usable.find(({ text }) => APPROVED_ADDRESS.test(text)) ?? null)
        : overlay && isAdvertising(overlay)
          ? closeIn(usable)
          : null;
    const isUntried = (control: PageControl | null) => !tried.has(keyOf(view, overlay, control));
    if (found && isUntried(found)) return { view, overlay, control: found };
    const canHide =
      isConsent &&
      overlay !== null &&
      usable.length > 0 &&
      usable.some(
        ({ text }) =>
          ACCEPTANCE.test(text) ||
          /^\W*(?:ok(?:ay)?|got it|verstanden|understood|compris|entendido|ho capito|begrepen)\W*$/i.test(text),
      );
    return canHide && isUntried(null) ? { view, overlay, control: null } : null;
  };
  for (const [position, overlay] of view.overlays.entries()) {
    const isIn = ({ overlay: own }: { readonly overlay: number }) => own === position;
    const found = await find(overlay, view.controls.filter(isIn), view.fields.filter(isIn));
    if (found) return found;
  }
  // Consent managers also use a frame of their own.
  return isMain || view.overlays.length > 0 || !CONSENT_MARKS.test(view.url)
    ? null
    : await find(null, view.controls, view.fields);
}

/** Whether a box contains a control of the checkout itself, such as a fixed bar with the pay button. */
async function leadsOn(view: FrameView, controls: readonly PageControl[]): Promise<boolean> {
  for (const kind of ["pay", "checkout"] as const)
    if (await findControl({ ...view, controls }, kind, null)) return true;
  return false;
}

function refusalIn(controls: readonly PageControl[]): PageControl | null {
  for (const words of REFUSALS) {
    const found = controls.find(
      ({ text, name, id, href }) =>
        words.test(`${text} ${text === "" ? `${name} ${id}` : ""}`) &&
        !(ACCEPTANCE.test(text) && !REFUSALS[0]?.test(text)) &&
        (href === null || /#|^javascript:/.test(href)),
    );
    if (found) return found;
  }
  return null;
}

const closeIn = (controls: readonly PageControl[]) => controls.find(({ text }) => CLOSE.test(text)) ?? null;

function isAdvertising({ isDialog, text, marks, area }: Overlay): boolean {
  return (isDialog || area >= MIN_BLOCKING_AREA) && ADVERTISING_DIALOG.test(`${text} ${marks}`);
}

const keyOf = (view: FrameView, overlay: Overlay | null, control: PageControl | null) =>
  `${view.url.split(/[?#]/)[0]} ${overlay?.marks ?? ""} ${control?.text ?? "hidden"}`;

interface Hidable {
  readonly style: { setProperty(name: string, value: string, priority: string): void };
}

/** Runs in the page. */
function hide(element: unknown): void {
  (element as Hidable).style.setProperty("display", "none", "important");
}
