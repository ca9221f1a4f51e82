import type { BrowserContextOptions } from "playwright-core";
import { beginSession } from "../../src/accounts/sessions.ts";
import type { Pages, Person } from "../support/pages.ts";

/** Opens a browser context that is signed in to the account. */
export async function personOf(pages: Pages, accountId: string, options: BrowserContextOptions = {}): Promise<Person> {
  const person = await pages.person(options);
  await signInAllTabs(pages, person, accountId);
  return person;
}

/** Signs in to the account in all tabs of a browser context, as a sign-in in one of them would. */
export async function signInAllTabs(pages: Pages, { page }: Person, accountId: string): Promise<void> {
  const { db, pubsub } = pages.stack.service.deps;
  const value = await beginSession(
    { db, pubsub },
    { accountId, method: "email_code" },
    { ip: null, userAgent: "test" },
  );
  const cookie = { name: "satchel_session", value, url: pages.origin, httpOnly: true, sameSite: "Lax" } as const;
  await page.context().addCookies([cookie]);
}
