/** Detects pages that block a checkout, such as captchas, sign-in pages and errors. */
import type { EndingCause } from "./ending.ts";
import { purposeOf } from "./field-purposes.ts";
import { documentsOf, type PageView } from "./page-snapshot.ts";

export interface Blocker {
  readonly cause: EndingCause;
  /** Description for the evidence. */
  readonly reason: string;
}

const CAPTCHA = /captcha|turnstile|challenges\.cloudflare|arkoselabs|funcaptcha|geetest|datadome|px-captcha/i;
const HUMAN_CHECK =
  /are you (?:a )?(?:human|person|robot)|i(?:'|’)m not a robot|prove (?:that )?you(?:'|’| a)re (?:a )?human|bist du ein mensch|êtes-vous un robot/i;
const BOT =
  /checking your browser|just a moment|verify (?:that )?you are (?:a )?human|access denied|pardon our interruption|attention required|unusual (?:traffic|activity)|looks automated|automated (?:access|requests?)|you have been blocked|request (?:was )?blocked/i;
const SOLD_OUT =
  /out of stock|sold[ -]?out|no longer (?:available|in stock)|not enough stock|currently unavailable|ausverkauft|nicht (?:mehr )?verfügbar|épuisé|rupture de stock|agotado|esaurito|uitverkocht|在庫切れ|売り切れ/i;
const CART = /cart|basket|\bbag\b|trolley|warenkorb|panier|carrito|cesta|carrello|winkelwagen|カート/i;
const EMPTY_WORDS = /empty|leer\b|vide\b|vac[ií]o|vuoto|leeg\b|空/i;
const SIGN_IN = /sign in|log ?in|anmelden|einloggen|connexion|se connecter|iniciar sesión|accedi|inloggen|ログイン/i;
const ACCOUNT_NEEDED =
  /(?:need|must have|requires?|create|only (?:for|with)) (?:an? )?account|account (?:is )?(?:needed|required)|(?:sign|log) ?in to (?:check ?out|continue to checkout|buy|order)|members only|kundenkonto (?:erforderlich|nötig)|compte (?:requis|obligatoire)/i;
const GUEST =
  /guest|without (?:an? )?(?:account|registering)|als gast|ohne (?:konto|anmeldung)|invité|sans compte|invitado|sin (?:cuenta|registro)|ospite|als gast|ゲスト/i;
const UNAVAILABLE =
  /service unavailable|temporarily unavailable|bad gateway|gateway time-?out|internal server error|under maintenance|wartungsarbeiten/i;

/** Smallest size of a captcha that requires interaction, in pixels. Badges of invisible captchas do not count. */
const MIN_CAPTCHA_SIZE = { width: 200, height: 50 };

/**
 * Returns the reason why the page blocks the checkout, or null.
 * @param status HTTP status of the main document, if known
 */
export function blockerOf(view: PageView, status: number | null): Blocker | null {
  const { main } = view;
  const prominentText = [main.title, ...main.headings, ...main.alerts].join("\n");
  const isShort = main.text.length < 1_500;
  const visibleText = isShort ? `${prominentText}\n${main.text}` : prominentText;

  if (hasCaptcha(view) || (isShort && HUMAN_CHECK.test(visibleText) && !hasFields(view)))
    return blocker("captcha", "The page requires a captcha");
  if (BOT.test(visibleText) && (status === null || status >= 400 || !hasFields(view)) && isShort) {
    return blocker("bot_wall", "The page blocks automated browsers");
  }
  if (status === 403 || status === 429) return blocker("bot_wall", `The page responded with status ${status}`);
  if (status !== null && status >= 500) return blocker("shop_unavailable", `The page responded with status ${status}`);
  if (SOLD_OUT.test([...main.headings, ...main.alerts].join("\n")) && !hasFields(view)) {
    return blocker("out_of_stock", "The page states that the product is sold out");
  }
  if ([...main.headings, ...main.alerts].some((text) => CART.test(text) && EMPTY_WORDS.test(text))) {
    return blocker("out_of_stock", "The cart is empty");
  }
  if (status !== null && status >= 400) return blocker("shop_unavailable", `The page responded with status ${status}`);
  if (isShort && UNAVAILABLE.test(visibleText))
    return blocker("shop_unavailable", "The page states that the site is unavailable");
  return signInBlocker(view);
}

/** Whether a control continues without an account. */
export function isGuestControl(text: string): boolean {
  return GUEST.test(text);
}

function signInBlocker(view: PageView): Blocker | null {
  const { main } = view;
  const hasPasswordField = main.fields.some(
    ({ type, autocomplete }) => type === "password" && !/new-password/.test(autocomplete),
  );
  if (!hasPasswordField || main.controls.some(({ text }) => isGuestControl(text))) return null;
  const requestedFields = main.fields.map(purposeOf).filter((purpose) => purpose !== null && purpose !== "email");
  if (requestedFields.length > 0) return null;
  if (ACCOUNT_NEEDED.test(main.text)) return blocker("guest_checkout_unavailable", "The merchant requires an account");
  return SIGN_IN.test(main.text) ? blocker("login_required", "The page requires sign-in") : null;
}

function hasCaptcha(view: PageView): boolean {
  return documentsOf(view).some(({ frames }) =>
    frames.some(
      ({ src, title, isShown, isBadge, width, height }) =>
        isShown &&
        !isBadge &&
        CAPTCHA.test(`${src} ${title}`) &&
        width >= MIN_CAPTCHA_SIZE.width &&
        height >= MIN_CAPTCHA_SIZE.height,
    ),
  );
}

/** Whether the page contains any known checkout field. */
function hasFields(view: PageView): boolean {
  return documentsOf(view).some(({ fields }) => fields.some((field) => purposeOf(field) !== null));
}

const blocker = (cause: EndingCause, reason: string): Blocker => ({ cause, reason });
