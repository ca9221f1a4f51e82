/** The page of an app, for its owner: lifetime of tokens and required pushed requests, and what the service then does. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthorizePath, createClient, obtainTokens, openSignedInBrowser } from "../support/oauth.ts";
import { checkPage, openPages, type Pages } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
}, 120_000);
afterAll(() => pages?.stop());

it("an owner shortens the life of access tokens and requires pushed authorization requests", async () => {
  const { stack } = pages;
  const { accountId } = await stack.account();
  const client = await createClient(stack, { accountId, kind: "confidential" });
  const owner = await openSignedInPage(pages, accountId);
  const { page } = owner;
  await page.goto("/dashboard/developer");
  await page.getByRole("link", { name: "Ledger & <Sons>" }).click();
  const lifetime = page.getByLabel("Access tokens expire after");
  const save = page.getByRole("button", { name: "Save: Access tokens" });
  await expect.poll(() => lifetime.inputValue()).toBe("5184000");

  for (const refused of ["59", "5184001", "1.5", "an hour"]) {
    await lifetime.fill(refused);
    await save.click();
    await page.getByText("Enter a whole number from 60 to 5184000.").waitFor();
  }
  await checkPage(owner, "client-lifetime");
  await lifetime.fill("900");
  await save.click();
  await page.getByText("15 minutes", { exact: true }).waitFor();
  await page.reload();
  await expect.poll(() => lifetime.inputValue()).toBe("900");
  const user = await openSignedInBrowser(stack, accountId);
  expect((await obtainTokens(stack, user, client)).expires_in).toBe(900);

  const required = page.getByRole("switch", { name: "Require pushed authorization requests" });
  await required.click();
  await expect.poll(() => required.getAttribute("aria-checked")).toBe("true");
  const refused = await user.navigate(createAuthorizePath(client.clientId));
  expect(new URL(refused.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_request");

  // Empty: the default again.
  await lifetime.fill("");
  await save.click();
  await expect.poll(() => lifetime.inputValue()).toBe("5184000");
});
