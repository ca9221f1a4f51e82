import type { BrowserContextOptions } from "playwright-core";
import { beginSession } from "../../src/accounts/sessions.ts";
import type { Pages, PageUser } from "../support/pages.ts";

/** Opens a browser context that is signed in to the account. */
export async function openSignedInPage(
  pages: Pages,
  accountId: string,
  options: BrowserContextOptions = {},
): Promise<PageUser> {
  const person = await pages.openUser(options);
  await signInAllTabs(pages, person, accountId);
  return person;
}

/** Signs in to the account in all tabs of a browser context, as a sign-in in one of them would. */
export async function signInAllTabs(pages: Pages, { page }: PageUser, accountId: string): Promise<void> {
  const { db, pubsub } = pages.stack.service.deps;
  const value = await beginSession(
    { db, pubsub },
    { accountId, method: "email_code" },
    { ip: null, userAgent: "test" },
  );
  const cookie = { name: "satchel_session", value, url: pages.origin, httpOnly: true, sameSite: "Lax" } as const;
  await page.context().addCookies([cookie]);
}
