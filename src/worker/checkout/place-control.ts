/** Finds the control of a review that places the order. The card was entered before, so its text may be a bare “Confirm”. */
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { findControls } from "./controls.ts";
import type { PageControl } from "./document-view.ts";
import type { FrameView, PageView } from "./page-snapshot.ts";

/** Texts that place the order on a review, and name any other step elsewhere. */
const CONFIRM =
  /^(?:yes,? )?(?:i )?confirm(?: (?:&|and) (?:order|buy|continue))?$|^submit$|^finish(?: order| checkout)?$|^(?:buy|order)$|^(?:bestätigen|absenden|bestellen|kaufen)$|^(?:confirmer|valider|terminer)$|^(?:confirmar|finalizar)$|^(?:conferma|termina)$|^(?:bevestig(?:en)?|afronden)$|^potwierdź$|^bekräfta$|^bekræft$|^bekreft$|^vahvista$|^確定(?:する)?$/iu;
/** Texts that no control of a page after the order has. “Buy now” could be a recommendation. */
const PLACE =
  /^(?:confirm|place|complete|submit|finish)\b.{0,12}\border$|bestellung (?:abschließen|aufgeben|absenden|abschicken)|(?:valider|confirmer|passer) (?:la |ma )?commande|(?:confirmar|realizar) (?:el )?pedido|conferma (?:l.?)?ordine|bestelling (?:plaatsen|afronden)/iu;
const REVIEW =
  /review|confirm|summary|overview|check your|überprüf|übersicht|zusammenfassung|bestätig|récapitulatif|vérif|confirmation|resumen|revis|riepilogo|conferma|overzicht|controle|podsumowanie|sammanfattning|granska|oversigt|oversikt|確認/iu;
/** Changes of the cart and ways out of the checkout. */
const OTHER =
  /cancel|remove|delete|edit|change|back|return|apply|update|coupon|voucher|search|sign|log|subscribe|print|abbrechen|entfernen|ändern|zurück|annuler|supprimer|modifier|retour|cancelar|eliminar|editar|volver|annulla|rimuovi|modifica|indietro|annuleren|verwijder|wijzig|terug/iu;

/** Whether a control places an order that does not exist yet, by its text. */
export function placesOrder({ text, disabled, isSubmit }: PageControl): boolean {
  return !disabled && isSubmit && PLACE.test(text.trim());
}

/**
 * Returns the control that places the order, or null.
 * @param shown page at the press, if the current page still has card fields: only a control that could not be pressed there counts
 */
export async function findPlaceControl(
  { main }: PageView,
  { shown, recipe }: { readonly shown: PageView | null; readonly recipe: RecipeDefinition | null },
): Promise<PageControl | null> {
  const named = await findControls(main, "pay", recipe);
  if (shown) {
    const known = new Set(shown.main.controls.filter(({ disabled }) => !disabled).map(({ text }) => text));
    return named.find(({ text }) => !known.has(text)) ?? null;
  }
  return named[0] ?? confirmControlOf(main);
}

/**
 * Returns the control of a dialog that requests a second confirmation, after a press that sent nothing; null if there is none.
 * @param shown page at the press
 */
export async function findDialogControl(
  { main }: PageView,
  { shown, recipe }: { readonly shown: PageView; readonly recipe: RecipeDefinition | null },
): Promise<PageControl | null> {
  const known = new Set(shown.main.controls.map(({ text, overlay }) => `${overlay} ${text}`));
  const named = await findControls(main, "pay", recipe);
  const found = main.controls.filter(
    (control) =>
      control.overlay >= 0 &&
      !control.disabled &&
      control.tag !== "a" &&
      !known.has(`${control.overlay} ${control.text}`) &&
      (named.includes(control) || CONFIRM.test(control.text.trim())),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Returns the only control whose whole text places an order; null without one, or with several. */
export function bareOrderControlOf({ controls }: FrameView): PageControl | null {
  const found = controls.filter(({ disabled, tag, text }) => !disabled && tag !== "a" && CONFIRM.test(text.trim()));
  return found.length === 1 ? (found[0] ?? null) : null;
}

function confirmControlOf({ title, headings, fields, controls }: FrameView): PageControl | null {
  const enabled = controls.filter(({ disabled, tag, text }) => !disabled && tag !== "a" && !OTHER.test(text));
  const confirming = enabled.filter(({ text }) => CONFIRM.test(text.trim()));
  if (confirming.length === 1) return confirming[0] ?? null;
  if (confirming.length > 1 || ![title, ...headings].some((text) => REVIEW.test(text))) return null;
  // Forms of coupons, newsletters and searches have fields.
  const hasFields = (form: number) =>
    fields.some((field) => field.form === form && !/^(?:checkbox|radio)$/.test(field.type));
  const submits = enabled.filter(({ isSubmit, form }) => isSubmit && !hasFields(form));
  return submits.length === 1 ? (submits[0] ?? null) : null;
}
