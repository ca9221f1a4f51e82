/** Tells when a bank asks the card's owner (3-D Secure): its page is never read further, nor answered by us. */

import type { PinnedOrigins } from "./card-fields.ts";
import { purposeOf } from "./field-purposes.ts";
import type { PageView } from "./page-snapshot.ts";
import type { MerchantOrigins } from "./shop-origins.ts";

const CHALLENGE_NAME =
  /3-?d[ -]?s(?:ecure|2)?\b|three-?d|\bacs\b|challenge|authenticat|verified by|securecode|safekey|id ?check|\bbank/i;
const CHALLENGE_TEXT =
  /one[ -]?time (?:pass)?code|\botp\b|code we sent|sent (?:you )?(?:a|the) code|confirm (?:your|this) payment|authori[sz]e (?:your|this) (?:payment|purchase)|verify (?:your|this) (?:payment|purchase)|banking app|\btan\b|bestätigen|confirmez|confirme su|conferma/i;
/** What is smaller is not for people. */
const MIN_SIZE = { width: 150, height: 100 };

/** The origin of the bank whose page the person sees now, in a frame of a third origin or as the page itself; else null. */
export function challengeOriginOf(
  { main, inner }: PageView,
  merchantOrigins: MerchantOrigins,
  pins: PinnedOrigins,
): string | null {
  if (!merchantOrigins.has(main.url)) return main.url.startsWith("http") ? originOf(main.url) : null;
  const shown = main.frames.filter(
    ({ isShown, width, height }) => isShown && width >= MIN_SIZE.width && height >= MIN_SIZE.height,
  );
  const challenge = inner.find((view) => {
    const origin = originOf(view.url);
    if (origin === null || merchantOrigins.has(view.url)) return false;
    const element = shown.find(({ src }) => originOf(src) === origin) ?? (shown.length === 1 ? shown[0] : undefined);
    const isNested = view.frame.parentFrame() !== view.frame.page().mainFrame();
    if (!element && !isNested) return false;
    const hasCodeField = view.fields.some(({ autocomplete }) => autocomplete.includes("one-time-code"));
    const visibleText = `${view.title} ${view.headings.join(" ")} ${view.text.slice(0, 2_000)}`;
    if (hasCodeField || CHALLENGE_TEXT.test(visibleText))
      return !view.fields.some((field) => purposeOf(field) === "card_number");
    const identifiers = `${element?.title ?? ""} ${view.title} ${new URL(view.url).pathname}`;
    return !pins.has(origin) && CHALLENGE_NAME.test(identifiers) && view.controls.length > 0;
  });
  return challenge ? originOf(challenge.url) : null;
}

/**
 * Whether a bank that asked is gone, or says something else now. Its page answers nothing while it waits for its own next
 * one: as long as it stands there unread, it is asking.
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
