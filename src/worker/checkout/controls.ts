/** Finds the control for the next step, by the recipe or by its text. */
import type { CONTROLS, RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { PageControl } from "./document-view.ts";
import type { FrameView } from "./page-snapshot.ts";

export type ControlKind = (typeof CONTROLS)[number];

const WORDS: Readonly<Record<ControlKind, RegExp>> = {
  add_to_basket:
    /add to (?:my |your )?(?:basket|cart|bag|trolley|order)|in den (?:warenkorb|einkaufswagen)|ajouter au panier|añadir (?:al|a la) (?:carrito|cesta)|aggiungi al carrello|(?:in|aan) winkel(?:wagen|mand)|カートに入れる|^buy$|^add$/i,
  checkout:
    /check ?out|to the till|zur kasse|passer (?:la )?commande|^commander$|finalizar (?:la )?compra|tramitar|vai alla cassa|procedi all.?ordine|afrekenen|レジに進む|購入手続き/i,
  continue:
    /^(?:save and )?continue\b|^next\b|proceed|continue to (?:delivery|shipping|payment|address)|^weiter|fortfahren|^continuer|^suivant|^continuar|^siguiente|^continua\b|^avanti|^volgende|^doorgaan|次へ|進む/i,
  pay: /^pay\b|pay (?:now|securely|with card)|place (?:your |my |the )?order|complete (?:your |my |the )?(?:order|purchase|checkout|payment)|submit (?:your |my )?(?:order|payment)|confirm (?:order|purchase|and pay|payment)|buy now|jetzt (?:kaufen|bezahlen)|zahlungspflichtig|kostenpflichtig|kauf abschließen|^payer|valider (?:la|ma) commande|^pagar|realizar pedido|^paga\b|effettua l.?ordine|^betalen|bestelling plaatsen|注文を確定|支払う/i,
};
/** Controls for other payment methods, or that leave the checkout. */
const EXCLUDED =
  /paypal|apple ?pay|google ?pay|g ?pay|shop ?pay|amazon ?pay|klarna|afterpay|clearpay|sezzle|affirm|\blink\b|express|pay later|pay in \d|continue shopping|weiter einkaufen|continuer (?:mes|les|vos) achats|seguir comprando|back to|sign in|log ?in|facebook|with google/i;

/** Returns the best match: submit buttons before other buttons, buttons before links. Disabled controls are ignored. */
export async function findControl(
  view: FrameView,
  kind: ControlKind,
  recipe: RecipeDefinition | null,
): Promise<PageControl | null> {
  const selector = recipe?.controls[kind];
  const index = selector === undefined ? -1 : await view.indexOf(selector);
  const byRecipe = view.controls.find((control) => control.index === index);
  if (byRecipe) return byRecipe;
  const fitting = view.controls.filter(
    ({ text, name, disabled }) => !disabled && WORDS[kind].test(text) && !EXCLUDED.test(`${text} ${name}`),
  );
  const rank = ({ isSubmit, tag }: PageControl) => (isSubmit ? 0 : tag === "a" ? 2 : 1);
  return fitting.toSorted((one, other) => rank(one) - rank(other))[0] ?? null;
}

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
