/** Detects a 3-D Secure challenge. The worker does not read the bank's page any further and never fills it in. */

import type { Frame } from "playwright-core";
import type { PinnedOrigins } from "./card-fields.ts";
import { purposeOf } from "./field-purposes.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import type { FrameView, PageView } from "./page-snapshot.ts";
import { isWalletCode, isWalletPage } from "./wallet-code.ts";

const CHALLENGE_NAME =
  /3-?d[ -]?s(?:ecure|2)?\b|three-?d|\bacs\b|challenge|authenticat|verified by|securecode|safekey|id ?check|\bbank/i;
const CHALLENGE_TEXT =
  /one[ -]?time (?:pass)?code|\botp\b|code we sent|sent (?:you )?(?:a|the) code|confirm (?:your|this) payment|authori[sz]e (?:your|this) (?:payment|purchase)|verify (?:your|this) (?:payment|purchase)|banking app|\btan\b|bestätigen|confirmez|confirme su|conferma/i;
/** Frames below this size are not meant for the cardholder. */
const MIN_SIZE = { width: 150, height: 100 };

export interface Challenge {
  readonly origin: string;
  /** The frame that shows the challenge; the main frame if the page itself does. */
  readonly frame: Frame;
}

/** Returns a visible challenge, either in a third-party frame or as the page itself. Null without a challenge. */
export function findChallenge(
  { main, inner }: PageView,
  merchantOrigins: MerchantOrigins,
  pins: PinnedOrigins,
): Challenge | null {
  if (!merchantOrigins.has(main.url)) return main.url.startsWith("http") ? toChallenge(main) : null;
  const shown = main.frames.filter(
    ({ isShown, width, height }) => isShown && width >= MIN_SIZE.width && height >= MIN_SIZE.height,
  );
  const challenge = inner.find((view) => {
    const origin = originOf(view.url);
    if (origin === null || merchantOrigins.has(view.url)) return false;
    const element = shown.find(({ src }) => originOf(src) === origin) ?? (shown.length === 1 ? shown[0] : undefined);
    const isNested = view.frame.parentFrame() !== view.frame.page().mainFrame();
    if (!element && !isNested) return false;
    // Wallets request their code at a processor's origin or their own, banks at the bank's.
    if (isWalletCode(view, element?.title) && (pins.has(origin) || isWalletPage(view.url))) return false;
    const hasCodeField = view.fields.some(({ autocomplete }) => autocomplete.includes("one-time-code"));
    const visibleText = `${view.title} ${view.headings.join(" ")} ${view.text.slice(0, 2_000)}`;
    if (hasCodeField || CHALLENGE_TEXT.test(visibleText))
      return !view.fields.some((field) => purposeOf(field) === "card_number");
    const identifiers = `${element?.title ?? ""} ${view.title} ${new URL(view.url).pathname}`;
    return !pins.has(origin) && CHALLENGE_NAME.test(identifiers) && view.controls.length > 0;
  });
  return challenge ? toChallenge(challenge) : null;
}

function toChallenge({ url, frame }: Pick<FrameView, "url" | "frame">): Challenge | null {
  const origin = originOf(url);
  return origin === null ? null : { origin, frame };
}

/**
 * Whether a challenge has ended. A frame of the bank that cannot be read is loading its next page, so the challenge
 * continues.
 */
export function hasChallengeEnded({ page, main, inner }: PageView, bankOrigin: string): boolean {
  if (!main.isComplete) return false;
  const bankFrames = page.frames().filter((frame) => originOf(frame.url()) === bankOrigin);
  return bankFrames.every((frame) => frame === main.frame || inner.some((view) => view.frame === frame));
}

function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? "null";
  return origin === "null" ? null : origin;
}
