/** Finds the control that leads to the next step of a checkout. */
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { isGuestControl } from "./blockers.ts";
import { choiceOpenersOf } from "./choice-openers.ts";
import { choiceSetsOf } from "./choices.ts";
import { findControls, selectionControlOf, submitOfForm } from "./controls.ts";
import { isCardChoice, isOfPayment, namesDelivery } from "./delivery.ts";
import type { PageControl } from "./document-view.ts";
import { purposeOf } from "./field-purposes.ts";
import { isFrameVisible } from "./frame-elements.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";

/** Guest checkout, in words that no greeting such as “Hello, guest” has. */
const GUEST_CHECKOUT =
  /as (?:a )?guest|guest (?:check ?out|order|purchase)|(?:check ?out|continue|order)\b.{0,12}\bguest|without (?:an? )?(?:account|registering|signing)|als gast|ohne (?:konto|kundenkonto|anmeldung|registrierung)|(?:en tant qu(?:'|’)|comme )invité|sans (?:compte|créer)|como invitad[oa]|sin (?:cuenta|registro|registrarse)|come ospite|senza (?:account|registrazione)|zonder account|jako gość|bez (?:rejestracji|logowania|konta)|som (?:gäst|gæst|gjest)|utan (?:konto|inloggning)|uden (?:konto|login)|como convidado|sem (?:conta|cadastro)|ゲストとして|ゲスト購入|会員登録(?:せず|しない)|ログインせず/i;
/** A control for payment by card among the payment methods, such as a tab. Words such as “Pay” alone start the payment. */
const CARD_METHOD =
  /^(?:add|enter|use) (?:a |an |your |new |another |different )*(?:(?:credit|debit|payment)(?: or debit)? )?cards?(?: details| number)?$|^(?:(?:pay|payment|check ?out) (?:with|by|using) (?:a |your )?)?(?:(?:credit|debit|bank|payment)(?:(?:,? ?(?:\/|&|and|or) ?| )(?:credit|debit|bank))? ?)?cards?\b(?! on file| number|holder)|^(?:mit |per )?(?:kredit|debit|bank)?-?karte\b|^(?:par )?carte(?: bancaire| de crédit| bleue)?\b(?! cadeau)|^(?:con )?tarjeta\b(?! regalo)|^(?:con )?carta di (?:credito|debito)|^met (?:credit|debet)?card\b|^(?:credit|debet)card\b|^(?:betala med )?(?:bank|kredit|betal)?kort\b|^(?:płatność )?kart(?:a|ą)\b|^cartão\b|^クレジットカード/i;
const OTHER_CARD =
  /gift|store credit|loyalty|geschenk|cadeau|regalo|presentkort|podarunkow|ギフト|paypal|google|apple/i;
/** What merchants write where the card is entered on a page of the processor. */
const ELSEWHERE =
  /(?:re-?directed|taken|transferred|sent|forwarded) (?:to|on)\b|(?:secure|hosted|external) (?:payment|card|checkout) page|on (?:our|the) (?:payment )?(?:provider|processor|partner)|weitergeleitet|redirigée?s?\b|redirigid[oa]|reindirizzat|doorgestuurd|omdirigera|omdirigert|viderestill|przekierowan|redirecionad|リダイレクト|移動します/i;

/** Returns the controls for the next step, the best first: guest checkout, then matching texts, then the form's only submit button. */
export async function findNextControls(
  view: PageView,
  recipe: RecipeDefinition | null,
): Promise<readonly PageControl[]> {
  const main = frontOf(view.main);
  const openers = choiceOpenersOf(main);
  const requiresAccount = main.fields.some(({ type }) => type === "password");
  if (requiresAccount || !hasAddressField(main)) {
    const isGuest = (text: string) => isGuestCheckout(text) || (requiresAccount && isGuestControl(text));
    const guest = main.controls.filter(({ text, disabled }) => !disabled && isGuest(text));
    if (guest.length > 0) return guest;
  }
  for (const kind of ["continue", "checkout"] as const) {
    const controls = await findControls(main, kind, recipe);
    if (controls.length > 0) return [...controls, ...openers];
  }
  if (openers.length > 0) return openers;
  const hasPay = (await findControls(main, "pay", recipe)).length > 0;
  const submit = selectionControlOf(main) ?? (hasPay ? null : (submitOfForm(main) ?? submitOfDelivery(main)));
  return submit ? [submit] : [];
}

/** Smallest share of the window, in percent, at which a box covers the page. */
const COVERING_AREA = 80;

/** Returns what a dialog over the page shows, if it offers a choice; otherwise the page. */
function frontOf(view: FrameView): FrameView {
  for (const [position, { isDialog, area }] of [...view.overlays.entries()].reverse()) {
    if (!isDialog && area < COVERING_AREA) continue;
    const isIn = ({ overlay }: { readonly overlay: number }) => overlay === position;
    const front = { ...view, fields: view.fields.filter(isIn), controls: view.controls.filter(isIn) };
    if (front.controls.length > 0 && choiceSetsOf(front).some((set) => isOfPayment(set) || namesDelivery(set)))
      return front;
  }
  return view;
}

/** Returns the only submit button of the form that selects the delivery, regardless of its text. */
function submitOfDelivery(view: FrameView): PageControl | null {
  const [delivery] = choiceSetsOf(view).filter((set) => !isOfPayment(set) && namesDelivery(set));
  if (!delivery || delivery.form < 0) return null;
  const submits = view.controls.filter(
    ({ isSubmit, form, disabled }) => isSubmit && form === delivery.form && !disabled,
  );
  return submits.length === 1 ? (submits[0] ?? null) : null;
}

/** Whether the text of a control continues without an account. */
export function isGuestCheckout(text: string): boolean {
  return GUEST_CHECKOUT.test(text);
}

/** Selects guest checkout where a page offers it as a choice. Returns whether the selection changed. */
export async function pickGuest(view: FrameView): Promise<boolean> {
  for (const { choices } of choiceSetsOf(view)) {
    const guest = choices.length > 1 ? choices.find(({ text }) => isGuestCheckout(text)) : undefined;
    if (guest && !guest.isChosen) return await guest.choose();
  }
  return false;
}

const PRIVATE =
  /^(?:private?\b|privat(?:e |-)?(?:person|kund|customer|individual)|personal\b|individual\b|consumer\b|particuli?er\b|particular\b|privato\b|osoba (?:prywatna|fizyczna)|privé)/iu;
const BUSINESS =
  /business|company|\bfirm(?:a\b|en)|geschäft|gewerb|unternehmen|entreprise|professionnel|empresa|aziend|zakelijk|bedrijf|företag|virksomhed|yritys/i;

/** Selects the private customer where a page offers kinds of customers and none is chosen. Returns whether the selection changed. */
export async function pickPrivate(view: FrameView): Promise<boolean> {
  for (const { choices } of choiceSetsOf(view)) {
    const own = choices.find(({ text }) => PRIVATE.test(text.trim()));
    if (!own || !choices.some(({ text }) => BUSINESS.test(text))) continue;
    if (choices.some(({ text, isChosen }) => isChosen && (BUSINESS.test(text) || PRIVATE.test(text.trim())))) continue;
    return await own.choose();
  }
  return false;
}

/** Returns the control that selects payment by card, on a page without card fields; null if there is none. */
export async function cardMethodControlOf(view: PageView): Promise<PageControl | null> {
  if (await showsCardNumber(view)) return null;
  return (
    view.main.controls.find(
      ({ text, name, disabled, href }) =>
        !disabled && !href?.startsWith("mailto:") && isCardMethod(text) && !OTHER_CARD.test(`${text} ${name}`),
    ) ?? null
  );
}

/** Whether the text of a control selects payment by card. */
export function isCardMethod(text: string): boolean {
  return text.length <= 60 && CARD_METHOD.test(text.trim());
}

/**
 * Returns the control that orders and leads to the processor's page; null if it may not be used. Payment by card must be
 * selected or announced there, because other methods order at once, such as cash on delivery.
 */
export async function findControlToHostedPage(
  view: PageView,
  recipe: RecipeDefinition | null,
): Promise<PageControl | null> {
  if (await showsCardNumber(view)) return null;
  const { main } = view;
  const sets = choiceSetsOf(main).filter((set) => isOfPayment(set));
  const isByCard =
    sets.length > 0
      ? sets.some(({ choices }) => choices.some(({ text, isChosen }) => isChosen && isCardChoice(text)))
      : ELSEWHERE.test(main.text);
  return isByCard ? ((await findControls(main, "pay", recipe))[0] ?? null) : null;
}

/** Whether a document of the page requests a card number, in frames that are not visible too. */
export function hasCardNumber(view: PageView): boolean {
  return documentsOf(view).some(requestsCardNumber);
}

/** Whether a visible document of the page requests a card number. Pages load card frames before they show them. */
export async function showsCardNumber(view: PageView): Promise<boolean> {
  const requesting = documentsOf(view).filter(requestsCardNumber);
  return (await Promise.all(requesting.map(({ frame }) => isFrameVisible(frame)))).includes(true);
}

/** Whether a document requests a card number. */
export const requestsCardNumber = ({ fields }: FrameView) => fields.some((field) => purposeOf(field) === "card_number");

function hasAddressField({ fields }: FrameView): boolean {
  return fields.some((field) => /^(?:address1|first_name|full_name|card_number)$/.test(purposeOf(field) ?? ""));
}
