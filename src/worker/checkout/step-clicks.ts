/** Clicks of the controls that lead to the next step, counted by page. */
import type { CheckoutRun } from "./checkout-run.ts";
import { click } from "./click.ts";
import type { PageControl } from "./document-view.ts";
import { clickThrough, snapshotUnblocked } from "./navigation.ts";
import { rejectionError } from "./page-checks.ts";
import { describe, type FrameView, type PageView } from "./page-snapshot.ts";
import { walletExitOf } from "./wallet-code.ts";

/** Number of clicks by page and control. */
export type Clicks = Map<string, number>;

const MAX_CLICKS = 2;
/** Start of a notice such as “Success: your details have been saved”. */
const DONE =
  /^\W*(?:success|saved|done|thank|erfolg|gespeichert|succès|enregistré|éxito|guardad|salvat|opgeslagen|gelukt|zapisano|sparad|gemt|lagret|保存)/i;

/** Returns how often a control of a page was clicked. */
export const countClick = (clicks: ReadonlyMap<string, number>, view: PageView, control: PageControl): number =>
  clicks.get(clickKey(view, control)) ?? 0;

/** Clicks the control. @throws {CheckoutEndedError} the page did not change and shows errors */
export async function clickNext(
  { session, navigation }: CheckoutRun,
  view: PageView,
  control: PageControl,
  clicks: Clicks,
  action = "Continue",
): Promise<void> {
  const count = countClick(clicks, view, control) + 1;
  clicks.set(clickKey(view, control), count);
  if (count > MAX_CLICKS) throw rejectionError(view.main);
  const element = await view.main.element(control.index);
  if (!element || !(await clickThrough(navigation, element))) return;
  const after = await snapshotUnblocked(navigation);
  await session.step(action, {
    selector: describe({ ...control, label: control.text }, control.tag),
    outcome: after.main.title,
    screenshot: true,
  });
  const isSame = signatureOf(after.main) === signatureOf(view.main);
  const hasNewErrors =
    errorsIn(after.main).length > errorsIn(view.main).length || after.main.fields.some(({ invalid }) => invalid);
  if (isSame && hasNewErrors) throw rejectionError(after.main);
}

/** Alerts that do not state that something was done. */
const errorsIn = ({ alerts }: FrameView) => alerts.filter((text) => !DONE.test(text));

/** Leaves a wallet's request for a code, once per page. Returns whether it clicked. */
export async function leaveWallet(
  { session, navigation }: CheckoutRun,
  view: PageView,
  clicks: Clicks,
): Promise<boolean> {
  const exit = walletExitOf(view);
  if (!exit || countClick(clicks, view, exit.control) > 0) return false;
  clicks.set(clickKey(view, exit.control), 1);
  const element = await exit.view.element(exit.control.index);
  if (!element || !(await click(element))) return false;
  await session.step("Leave the wallet", { outcome: "Declined a wallet's request for a code" });
  await navigation.traffic.waitUntilSettled(navigation.page);
  return true;
}

const clickKey = ({ main }: PageView, { text, row }: PageControl) => `${main.url} ${text} ${row} ${signatureOf(main)}`;

/** Identifies a page or a step of one by its fields and headings, regardless of its URL. */
function signatureOf({ fields, headings }: FrameView): string {
  return [...fields.map((field) => `${field.type} ${describe(field)}`), ...headings].join(";");
}
