/** Checkboxes of a checkout: terms are accepted, and what the buyer did not order is unticked. */
import type { PageField } from "./document-view.ts";

const AGREEMENT =
  /agree|accept|consent|have read|i confirm|akzeptier|stimme|einverstanden|gelesen|j['’]accepte|j['’]ai lu|acepto|he leído|accetto|ho letto|akkoord|ga akkoord|aceito|li e|akceptuj|zapoznał|souhlas|godkänner|accepterer|aksepterer|hyväksyn|同意/i;
const TERMS =
  /terms|conditions|\bagb\b|privacy|datenschutz|widerruf|bedingungen|conditions générales|\bcgv\b|condiciones|términos|privacidad|condizioni|informativa|voorwaarden|termos|regulamin|politykę? prywatności|podmínk|villkor|betingelser|vilkår|ehdot|規約|ポリシー/i;
/** Advertising. */
const ADVERTISING =
  /newsletter|\bnews\b|offers|marketing|updates|promotion|werbung|angebote|rabatte|sms\b|text me|subscribe|abonnier|abonne|suscrib|boletín|ofertas|offres|nouveautés|offerte|novità|iscriv|nieuwsbrief|aanbiedingen|ofert|nyhetsbrev|erbjudanden|nyhedsbrev|uutiskirje|メルマガ|お知らせ/i;
/** Extras that cost money or share data, although the buyer did not order them. */
const EXTRA =
  /insur|protect|warranty|guarantee plan|versicher|garantieverläng|(?<!daten)schutz(?:brief|paket)?\b|assurance|garantie étendue|seguro|garantía ampliada|assicura|verzekering|ubezpiecz|försäkring|forsikring|vakuutus|\bdonat|spende|\bdon\b|donación|donazione|carbon|gift ?wrap|geschenkverpackung|emballage cadeau|priority (?:processing|handling)|保険/i;
const STORED =
  /save (?:my|this|your) (?:info|card|details|payment|address)|remember me|create an account|für (?:das )?nächste (?:mal|bestellung) speichern|konto (?:anlegen|erstellen)|enregistrer (?:mes|ma)|créer un compte|guardar (?:mi|mis|esta)|crear una cuenta|salva (?:i|le|questa)|bewaar|zapamiętaj|spara mina/i;

/** Whether a checkbox accepts terms that the order requires. */
export function isAgreement({ type, checked, label, required, disabled, validity }: PageField): boolean {
  return (
    type === "checkbox" &&
    !checked &&
    !disabled &&
    TERMS.test(label) &&
    !ADVERTISING.test(label) &&
    !EXTRA.test(label) &&
    (required || validity !== "" || /[*＊]/.test(label) || AGREEMENT.test(label))
  );
}

/** Whether a checkbox is ticked for something that the buyer did not order. Required ones are no choice. */
export function isUnwanted({ type, checked, label, nearby, name, required, disabled }: PageField): boolean {
  if (type !== "checkbox" || !checked || disabled || required) return false;
  const text = `${label} ${nearby} ${name}`;
  if (TERMS.test(label) && AGREEMENT.test(label)) return false;
  return ADVERTISING.test(text) || EXTRA.test(text) || STORED.test(label);
}
