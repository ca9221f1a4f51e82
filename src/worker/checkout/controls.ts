/** Finds the control for the next step, by the recipe or by its text. */
import type { CONTROLS, RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { PageControl } from "./document-view.ts";
import { purposeOf } from "./field-purposes.ts";
import type { FrameView } from "./page-snapshot.ts";

export type ControlKind = (typeof CONTROLS)[number];

const anyOf = (...languages: readonly string[]) => new RegExp(languages.join("|"), "iu");

/** English first, then other languages. A character that is not ASCII ends no word, so `\b` follows ASCII letters only. */
const WORDS: Readonly<Record<ControlKind, RegExp>> = {
  add_to_basket:
    /add to (?:my |your )?(?:basket|cart|bag|trolley|order)|in den (?:warenkorb|einkaufswagen)|ajouter au panier|añadir (?:al|a la) (?:carrito|cesta)|aggiungi al carrello|(?:in|aan) winkel(?:wagen|mand)|dodaj do koszyka|lägg i (?:varukorg|kundvagn)|läg i kurv|læg i kurv|legg i handlekurv|lisää ostoskoriin|adicionar ao carrinho|カートに入れる|^buy$|^add$/i,
  checkout: anyOf(
    "check ?out|to the till",
    "zur kasse|^kasse$",
    "passer (?:la )?commande|^commander$|valider (?:le|mon) panier|finaliser (?:la |ma )?commande",
    "finalizar (?:la )?compra|tramitar|ir a (?:la )?caja|realizar (?:el )?pedido",
    "vai alla cassa|procedi all.?ordine",
    "afrekenen|naar (?:de )?kassa",
    "do kasy|przejdź do realizacji|realizuj zamówienie",
    String.raw`till (?:kassan|kassa\b)|til kass(?:en|a\b)|kassalle|pokladn|fechar pedido`,
    "レジに進む|購入手続き|ご購入手続き",
  ),
  continue: anyOf(
    String.raw`^(?:save (?:and|&) )?(?:continue|proceed|next)\b|proceed|(?:go|on|move|continue) to (?:delivery|shipping|payment|billing|address|review)|^to (?:delivery|shipping|payment)|review (?:your |my |the )?order|(?:use|ship to|deliver to) this address|confirm (?:address|details|delivery)`,
    "^weiter|fortfahren|^zur (?:lieferung|zahlung|versandart|zahlungsart|übersicht)|nächster? schritt|bestellung (?:über)?prüfen",
    "^continuer|^poursuivre|^suivant|^valider$|étape suivante|(?:passer|aller) (?:au paiement|à la livraison|à l.étape)|^procéder",
    String.raw`^continuar|^siguiente|^seguir\b|ir al pago|siguiente paso`,
    String.raw`^continua\b|^avanti|^prosegui|^procedi`,
    "^volgende|^doorgaan|^verder|naar (?:betalen|betaling|verzending)",
    "^dalej|^kontynuuj|^przejdź (?:do|dalej)|^następn",
    "^fortsätt|^nästa|gå vidare|till (?:betalning|leverans)|^fortsæt|^fortsett|^næste|^neste|gå videre|^jatka|^seuraava",
    "^avançar|^próximo|^prosseguir|^pokračovat|^další",
    "次へ|進む|続ける",
  ),
  pay: anyOf(
    String.raw`^pay\b|pay (?:now|securely|with card)|place (?:your |my |the )?order|complete (?:your |my |the )?(?:order|purchase|checkout|payment)|submit (?:your |my )?(?:order|payment)|confirm (?:(?:your |my |the )?order|purchase|and pay|payment)|(?:make|send|finali[sz]e) (?:an? |your |my |the )?(?:order|purchase)|buy now|order now|^purchase$|^buy (?:for|and pay)\b|^order (?:and|&|with obligation to) pay|^authori[sz]e (?:the )?(?:payment|purchase)`,
    String.raw`jetzt (?:kaufen|bezahlen|bestellen)|zahlungspflichtig|kostenpflichtig|kauf abschließen|bestellung (?:abschließen|aufgeben|absenden|abschicken)|^(?:be)?zahlen\b|^kaufen$`,
    "^payer|^régler|^commander$|passer (?:la |ma )?commande|(?:valider|confirmer|finaliser) (?:la |ma |et payer|le paiement|mon achat)(?:commande)?",
    "^pagar|realizar (?:el )?pedido|(?:confirmar|finalizar) (?:el |la )?(?:pedido|compra|pago)|comprar ahora",
    String.raw`^paga\b|effettua l.?ordine|(?:conferma|completa|invia) (?:l.?)?ordine|conferma e paga|acquista ora|ordina ora`,
    "^betalen|bestelling (?:plaatsen|afronden)|nu (?:kopen|betalen)|bestel(?:len)? (?:en betalen|nu)",
    "^zapłać|złóż zamówienie|zamawiam|kupuję|kup teraz|potwierdź zamówienie|zamówienie z obowiązkiem zapłaty",
    String.raw`^betala\b|(?:slutför|genomför|bekräfta) (?:köp|beställning|order|betalning)|lägg (?:order|beställning)|köp nu`,
    String.raw`^betal\b|(?:gennemfør|bekræft|fullfør|bekreft) (?:køb|kjøp|ordre|bestilling|betaling)|(?:afgiv|send|legg inn) (?:ordre|bestilling)|køb nu|kjøp nå`,
    "^maksa|(?:vahvista|tee|lähetä) tilaus|^encomendar$|fazer pedido|(?:concluir|confirmar|finalizar) (?:o |a )?(?:pedido|compra|pagamento)|comprar agora|^zaplatit|dokončit (?:objednávku|nákup)|^objednat",
    "注文(?:を|内容を)?(?:確定|する)|購入(?:を確定)?する|支払う|決済する",
  ),
};
/** Controls for other payment methods, or that leave the checkout. */
const EXCLUDED = anyOf(
  String.raw`paypal|apple ?pay|google ?pay|g ?pay|shop ?pay|amazon ?pay|klarna|afterpay|clearpay|sezzle|affirm|venmo|cash ?app|\bideal\b|bancontact|sofort|giropay|vipps|swish|\bblik\b|twint|mobilepay|alipay|wechat|\blink\b|express|pay later|pay in \d`,
  "back to|sign in|log ?in|facebook|with (?:google|apple)",
  "continue shopping|weiter (?:einkaufen|shoppen)|continuer (?:mes|les|vos) achats|(?:seguir|continuar) comprando|continuar a comprar|continua (?:lo |gli |a )?(?:shopping|acquist|fare)|(?:verder|doorgaan met) (?:winkelen|shoppen)|kontynuuj zakupy|fortsätt (?:att )?(?:handla|shoppa)|fortsæt (?:med at )?(?:handle|shoppe)|fortsett å|jatka ostoksia|(?:買い物|ショッピング)を続ける",
);

/** Sends the selection of a delivery. Pages may have such a control for each option. */
const SELECTION = /^(?:select|use|choose|ship (?:by|with)) this (?:shipping |delivery )?(?:method|option|service)$/i;

/** Returns the only control that sends the selected delivery, or null. */
export function selectionControlOf({ controls }: FrameView): PageControl | null {
  const found = controls.filter(({ text, disabled }) => !disabled && SELECTION.test(text.trim()));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A step that is named after the one that follows it: “Next: Place Order” stores the card and shows the order. */
const NEXT_STEP =
  /^\W*(?:next|continue|proceed|weiter|suivant|siguiente|avanti|volgende|dalej|nästa|næste|neste|seuraava|próximo|další)(?: step)?\s*[:–—›»>|-]/iu;

/** Whether a control's text names the payment or the order, not only a next step. */
export const isPayText = (text: string): boolean => WORDS.pay.test(text) && !NEXT_STEP.test(text);

/** Returns the best match of `findControls`. */
export async function findControl(
  view: FrameView,
  kind: ControlKind,
  recipe: RecipeDefinition | null,
): Promise<PageControl | null> {
  return (await findControls(view, kind, recipe))[0] ?? null;
}

/** Returns all matches, the best first: submit buttons before other buttons, buttons before links. Disabled ones are ignored. */
export async function findControls(
  view: FrameView,
  kind: ControlKind,
  recipe: RecipeDefinition | null,
): Promise<PageControl[]> {
  const selector = recipe?.controls[kind];
  const index = selector === undefined ? -1 : await view.indexOf(selector);
  const byRecipe = view.controls.find((control) => control.index === index);
  if (byRecipe) return [byRecipe];
  const fitting = view.controls.filter(
    ({ text, name, disabled }) => !disabled && isNamed(kind, text) && !EXCLUDED.test(`${text} ${name}`),
  );
  const rank = ({ isSubmit, tag }: PageControl) => (isSubmit ? 0 : tag === "a" ? 2 : 1);
  return fitting.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns the control of the payment while a page has it turned off; null without one. */
export function payControlThatIsOff({ controls }: FrameView): PageControl | null {
  return (
    controls.find(({ text, name, disabled }) => disabled && isPayText(text) && !EXCLUDED.test(`${text} ${name}`)) ??
    null
  );
}

const isNamed = (kind: ControlKind, text: string) => (kind === "pay" ? isPayText(text) : WORDS[kind].test(text));

/** Returns the submit button of the form with the most fields. Used as a last resort when no text matches. */
export function submitOfForm(view: FrameView): PageControl | null {
  const counts = Map.groupBy(
    view.fields.filter(({ form }) => form >= 0),
    ({ form }) => form,
  );
  const [fullest] = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  if (!fullest || fullest[1].length < 2) return null;
  const submits = view.controls.filter(({ isSubmit, form, disabled }) => isSubmit && form === fullest[0] && !disabled);
  return submits.length === 1 ? (submits[0] ?? null) : null;
}

/** Opens the fields of an address where a page first offers a search for it. */
const MANUAL_ADDRESS =
  /(?:enter|add|type|edit)\b.*(?:address|details)\b.*manual|manual(?:ly)?\b.*(?:enter|entry|address)|enter manually|(?:can(?:'|’)t|cannot) find (?:my|your) address|adresse (?:manuell|selbst)|manuell eingeben|saisir .*(?:manuellement|à la main)|(?:introducir|escribir).*manual|inserisci .*manualmente|handmatig|ręcznie|fyll i .*manuellt|indtast .*manuelt|手動|手入力/i;

/** Searches for the addresses of the postal code that was entered. */
const ADDRESS_SEARCH =
  /(?:find|look ?up|search)(?: for)?(?: my| your)? address|address (?:look ?up|search)|adresse suchen|rechercher (?:mon|une|l['’])? ?adresse|buscar dirección|cerca indirizzo|zoek adres|sök adress|住所(?:を)?検索|〒検索/i;

/** Returns the control that opens the fields of an address, or searches for it; null if the fields are shown already. */
export function addressControlOf({ fields, controls }: FrameView): PageControl | null {
  if (fields.some((field) => purposeOf(field) === "address1" && !field.isCombobox)) return null;
  const open = controls.filter(({ disabled }) => !disabled);
  const hasPostalCode = fields.some((field) => purposeOf(field) === "postal_code" && !field.isEmpty);
  return (
    open.find(({ text }) => MANUAL_ADDRESS.test(text)) ??
    (hasPostalCode ? open.find(({ text }) => ADDRESS_SEARCH.test(text)) : undefined) ??
    null
  );
}
