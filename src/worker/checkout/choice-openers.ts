/** Controls that open the choice of a delivery or a payment method. */
import { DELIVERY, PAYMENT, PRICED } from "./delivery-words.ts";
import type { PageControl } from "./document-view.ts";
import { purposeOf } from "./field-purposes.ts";
import type { FrameView } from "./page-snapshot.ts";

/** Texts of a control that opens a choice. */
const OPEN =
  /^(?:select|choose|pick)\b(?! this)|^(?:bitte )?(?:aus)?wählen$|auswählen$|^choisir\b|^sélectionner\b|^(?:seleccionar|elegir)\b|^(?:seleziona|scegli)\b|^(?:kies|selecteer)\b|^wybierz\b|^välj\b|^vælg\b|^velg\b|^選択/i;
/** Texts of a control that lists the deliveries for a postal code. */
const RATES =
  /^(?:calculate|estimate|get|show|see|view|find|check)\b.{0,20}\b(?:shipping|delivery|rates?|postage)|^(?:versand|liefer)\w*\s+(?:berechnen|anzeigen)|^(?:calculer|voir|afficher) .{0,20}livraison|^(?:calcular|ver) .{0,20}(?:envío|entrega)|^calcola .{0,20}(?:spedizione|consegna)|^(?:bereken|toon) .{0,20}(?:verzend|bezorg)/i;

/** Returns the controls that open the choice of a delivery or a payment method, such as “Choose” beside “Shipping method”. */
export function choiceOpenersOf(view: FrameView): PageControl[] {
  const hasPostalCode = view.fields.some((field) => purposeOf(field) === "postal_code" && !field.isEmpty);
  return view.controls.filter(({ text, row, disabled, href }) => {
    if (disabled || (href !== null && !href.includes("#"))) return false;
    if (RATES.test(text)) return hasPostalCode;
    if (!OPEN.test(text) || PRICED.test(row)) return false;
    return DELIVERY.test(`${text} ${row}`) || PAYMENT.test(`${text} ${row}`);
  });
}
