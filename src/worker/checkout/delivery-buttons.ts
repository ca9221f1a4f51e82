/** Deliveries that pages offer as buttons or clickable boxes, instead of radio buttons or a list. */
import type { ChoiceSet } from "./choices.ts";
import { click } from "./click.ts";
import { isPayText } from "./controls.ts";
import { containsTitle, DELIVERY, PRICED } from "./delivery-words.ts";
import type { FrameView } from "./page-snapshot.ts";

/** Texts of a button that selects one of several options. */
const SELECT =
  /^(?:select|choose|pick|use)\b|auswählen|^wählen|^choisir|^sélectionner|^seleccionar|^elegir|^selezion|^scegli|^kies|^selecteer|^wybierz|^välj|^vælg|^velg|^valitse|^selecionar|選択/i;

/** Texts of controls that change the cart. */
const OFFER = /^\W*(?:add|buy|remove|save|edit|change|hinzu|entfern|ajouter|supprimer|añadir|quitar|aggiungi|rimuovi)/i;

/** Deliveries that have a button each, on a page whose heading names the delivery. */
export function deliveryButtonsOf(view: FrameView, title: string | null, pressed: Set<string>): ChoiceSet[] {
  const heading = [view.title, ...view.headings].find((text) => DELIVERY.test(text));
  if (heading === undefined) return [];
  const isOption = (row: string) => PRICED.test(row) || (title !== null && row !== "" && containsTitle(row, title));
  const buttons = view.controls.filter(
    ({ text, row, disabled }) => !disabled && isOption(row) && SELECT.test(text) && !isPayText(text),
  );
  return [...Map.groupBy(buttons, ({ text }) => text).values()].map((group) => ({
    title: heading,
    form: -1,
    choices: group.map(({ index, row }) => ({
      text: row,
      isChosen: pressed.has(row),
      async choose() {
        pressed.add(row);
        const element = await view.element(index);
        return element !== null && (await click(element));
      },
    })),
  }));
}

/** Deliveries that are controls themselves, such as toggle buttons and clickable boxes with a title and a price each. */
export function pricedControlsOf(view: FrameView, title: string | null, pressed: Set<string>): ChoiceSet[] {
  if (title === null || !DELIVERY.test(view.text)) return [];
  const priced = view.controls.filter(
    ({ text, tag, href, disabled, isSubmit }) =>
      !disabled &&
      !isSubmit &&
      tag !== "summary" &&
      (href === null || href.includes("#")) &&
      PRICED.test(text) &&
      !OFFER.test(text) &&
      !isPayText(text),
  );

  if (priced.length < 2 || !priced.some(({ text }) => containsTitle(text, title))) return [];
  return [
    {
      title: "",
      form: -1,
      choices: priced.map(({ index, text, isPressed }) => ({
        text,
        isChosen: isPressed || pressed.has(text),
        async choose() {
          pressed.add(text);
          const element = await view.element(index);
          return element !== null && (await click(element));
        },
      })),
    },
  ];
}
