/**
 * Recognises requests for a wallet's code, such as those of Link and Shop Pay. They offer stored cards to returning buyers,
 * are no 3-D Secure challenge, and are declined.
 */
import type { PageControl } from "./document-view.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";

/** Names are case-sensitive, since “link” is an ordinary word. */
const WALLET = /\bShop ?Pay\b|\bLink\b|\bBolt\b|\bPayPal\b|\bAmazon Pay\b|\bClick to Pay\b|\bFast(?:lane)?\b/;
const WALLET_PAGE = /(?:^|\.)(?:shop\.app|pay\.shopify\.com|link\.com|link\.co|bolt\.com)$/;
const WALLET_FRAME = /link-?auth|shop-?pay|wallet|fastlane/i;
const CODE =
  /\bcode\b|\bcódigo\b|\bcodice\b|verification|confirm (?:it(?:'|’)?s|that it(?:'|’)?s) you|log ?in|sign ?in|einloggen|anmelden|connexion|コード/i;
const LEAVE =
  /^(?:(?:continue|pay|check ?out|proceed) (?:without|as (?:a )?guest|another way)\b.*|(?:use|pay with|enter) (?:another|a different|a new) (?:card|payment|way|method)\b.*|not now|no,? thanks?|cancel|close|dismiss|skip|×|✕|✖|weiter ohne\b.*|abbrechen|schließen|als gast\b.*|continuer sans\b.*|annuler|fermer|continuar sin\b.*|cancelar|cerrar|continua senza\b.*|annulla|chiudi|doorgaan zonder\b.*|annuleren|sluiten|anuluj|zamknij|avbryt|stäng|キャンセル|閉じる)$/i;
/** In the merchant's page, such a control may end the checkout. */
const CANCEL = /cancel|abbrechen|annul|anuluj|avbryt|キャンセル/i;

/** Whether a URL is of a wallet's own site. */
export function isWalletPage(url: string): boolean {
  return WALLET_PAGE.test(URL.parse(url)?.hostname ?? "");
}

/** Whether a document requests a wallet's code, and not for a bank's. @param frameName title and name of its frame */
export function isWalletCode({ fields, title, headings, text, url }: FrameView, frameName = ""): boolean {
  const requestsCode = fields.some(
    ({ autocomplete, inputMode, maxLength }) =>
      autocomplete.includes("one-time-code") || (inputMode === "numeric" && maxLength === 1),
  );
  const visibleText = `${title} ${headings.join(" ")} ${text.slice(0, 2_000)}`;
  if (!requestsCode && !CODE.test(visibleText)) return false;
  if (isWalletPage(url) || WALLET_FRAME.test(frameName)) return true;
  return requestsCode && WALLET.test(visibleText);
}

/** A document and its control that leaves the request for a wallet's code. */
export interface WalletExit {
  readonly view: FrameView;
  readonly control: PageControl;
}

/** Returns how to leave a wallet's request for a code; null without such a request, or without such a control. */
export function walletExitOf(page: PageView): WalletExit | null {
  const requesting = documentsOf(page).filter((view) => isWalletCode(view));
  // The control may lie in the page around a wallet's frame.
  const views = requesting.length > 0 ? new Set([...requesting, page.main]) : [];
  for (const view of views) {
    const control = view.controls.find(
      ({ text, disabled }) =>
        !disabled && LEAVE.test(text.trim()) && !(view === page.main && CANCEL.test(text) && !WALLET.test(text)),
    );
    if (control) return { view, control };
  }
  return null;
}
