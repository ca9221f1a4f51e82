/** Sign-in, sign-out and sign-in methods in a real browser, with delivered emails and a virtual authenticator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPage, openPages, type Pages, START_TIMEOUT_MS } from "../support/pages.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
afterAll(() => pages?.stop());

/** Number of email addresses used so far. */
let emailCount = 0;
const newEmail = () => `person-${++emailCount}@people.test`;
const dialogOf = (page: Awaited<ReturnType<Pages["openUser"]>>["page"]) => page.getByRole("dialog");

describe("sign-in page", () => {
  it("redirects to the sign-in page without a session, and returns after sign-in", async () => {
    const person = await pages.openUser();
    const { page } = person;
    await page.goto("/dashboard/tokens?from=mail");
    await page.waitForURL("**/sign-in?return_to=**");
    await checkPage(person, "sign-in");
    const email = newEmail();
    await page.getByLabel("Email address").fill(email);
    await page.keyboard.press("Enter");
    const code = page.getByLabel("Code");
    const sent = await pages.waitForCode(email);
    await code.fill(sent === "000 000" ? "111111" : "000000");
    await page.keyboard.press("Enter");
    await page.getByText("The code is incorrect.").waitFor();
    await expect.poll(() => code.getAttribute("aria-invalid")).toBe("true");
    await checkPage(person, "sign-in-code");
    // A sandbox shows sent emails itself.
    const [mailPage] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: "Open the sandbox inbox" }).click(),
    ]);
    await mailPage.getByRole("link", { name: /code/i }).first().waitFor();
    await mailPage.close();
    await code.fill(sent);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/dashboard/tokens?from=mail");
    await page.getByText(email).waitFor();
    expect(person.browserErrors).toEqual([]);
  });

  it("lets a signed-in user continue to the requested page", async () => {
    const person = await pages.openUser();
    const { page } = person;
    const email = newEmail();
    await page.goto("/sign-in");
    await page.getByLabel("Email address").waitFor();
    expect(await page.getByText("You are signed in as").count()).toBe(0);
    await pages.signIn(person, email);
    await page.goto("/sign-in?return_to=/cards");
    await page.getByText(`You are signed in as ${email}.`).waitFor();
    await checkPage(person, "sign-in-again");
    await page.getByRole("link", { name: "Continue" }).click();
    await page.waitForURL("**/cards");
  });

  it("creates an account with only a passkey, and signs in with it", async () => {
    const person = await pages.openUser();
    const { page } = person;
    const device = await person.addAuthenticator();
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Create account with passkey" }).click();
    await page.getByLabel("Display name").fill("Grace");
    await checkPage(person, "sign-up");
    await page.getByRole("button", { name: "Create account with passkey" }).click();
    await page.waitForURL("**/dashboard");
    await page.getByText("Grace").waitFor();
    await expect.poll(() => device.passkeyCount()).toBe(1);
    await page.goto("/dashboard/security");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in*");
    // The virtual authenticator responds to passkey autofill automatically. Otherwise the button starts the ceremony.
    const button = page.getByRole("button", { name: "Use passkey" });
    await Promise.race([page.waitForURL("**/dashboard"), button.click({ timeout: 10_000 }).catch(() => {})]);
    await page.waitForURL("**/dashboard");
    await page.getByText("Grace").waitFor();
    expect(person.browserErrors).toEqual([]);
  });

  it("redirects only to paths of this site", async () => {
    const { safeReturnTo } = await import("../../web/app/sign-in-link.ts");
    const here = "https://satchel.example";
    for (const elsewhere of [
      "//evil.example",
      "/\\evil.example",
      "/.//evil.example",
      "https://evil.example",
      "javascript:alert(1)",
      "/\t/evil.example",
      "",
    ]) {
      expect(safeReturnTo(elsewhere, here), elsewhere).toBe("/dashboard");
    }
    expect(safeReturnTo("/consent?request=oar_1#top", here)).toBe("/consent?request=oar_1#top");
  });

  it("shows the error of an external identity provider", async () => {
    const { page } = await pages.openUser();
    await page.goto("/sign-in?error=access_denied");
    await page.getByRole("alert").getByText("The provider denied access").waitFor();
  });
});

describe("security page", () => {
  it("adds, renames and removes passkeys, but not the last sign-in method", async () => {
    const person = await pages.openUser();
    const { page } = person;
    const device = await person.addAuthenticator();
    await pages.signIn(person, newEmail(), "/dashboard/security");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await page.getByText(/^Passkey “.*” added\.$/).waitFor();
    await expect.poll(() => device.passkeyCount()).toBe(1);
    await page.getByRole("button", { name: /^Rename/ }).click();
    await dialogOf(page).getByLabel("Name").fill("The blue phone");
    await checkPage(person, "passkey-rename");
    await dialogOf(page).getByRole("button", { name: "Rename" }).click();
    await page.getByText("The blue phone", { exact: true }).waitFor();
    await checkPage(person, "security");
    await page.getByRole("button", { name: "Remove The blue phone" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("No passkeys yet.").waitFor();
    expect(person.browserErrors).toEqual([]);
  });

  it("requires reauthentication if the last sign-in is too old, and continues the action", async () => {
    const person = await pages.openUser();
    const { page } = person;
    await person.addAuthenticator();
    const email = newEmail();
    await pages.signIn(person, email, "/dashboard/security");
    const { prisma } = pages.stack.service.deps.db;
    const { id } = await prisma.account.findUniqueOrThrow({ where: { email } });
    const longAgo = new Date(Date.now() - 3_600_000);
    await prisma.session.updateMany({ where: { accountId: id }, data: { authenticatedAt: longAgo } });
    await page.getByRole("button", { name: "Add passkey" }).click();
    const proof = dialogOf(page);
    await proof.getByRole("heading", { name: "Sign in again" }).waitFor();
    await checkPage(person, "proof");
    await expect.poll(() => proof.getByLabel("Email address").inputValue()).toBe(email);
    await proof.getByRole("button", { name: "Send code" }).click();
    await proof.getByLabel("Code").waitFor();
    await proof.getByLabel("Code").fill(await pages.waitForCode(email));
    await proof.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/^Passkey “.*” added\.$/).waitFor();
    expect(person.browserErrors).toEqual([]);
  });

  it("ends the session of another browser, which is signed out immediately", async () => {
    const [here, there] = [await pages.openUser(), await pages.openUser()];
    const email = newEmail();
    await pages.signIn(there, email);
    await pages.signIn(here, email, "/dashboard/security");
    await here.page.getByText("This browser").waitFor();
    // The list of several sessions is checked too.
    await checkPage(here, "security-sessions");
    await here.page.getByRole("button", { name: /^End session of/ }).click();
    await here.page.getByText("Ended", { exact: true }).waitFor();
    await there.page.waitForURL("**/sign-in?return_to=**");
    expect(here.browserErrors).toEqual([]);
  });

  it("adds an email address to an account without one", async () => {
    const person = await pages.openUser();
    const { page } = person;
    const email = newEmail();
    await person.addAuthenticator();
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Create account with passkey" }).click();
    await page.getByLabel("Display name").fill("Edsger");
    await page.getByRole("button", { name: "Create account with passkey" }).click();
    await page.waitForURL("**/dashboard");
    await page.goto("/dashboard/security");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await dialogOf(page).getByLabel("New email address").fill(email);
    await dialogOf(page).getByRole("button", { name: "Send code" }).click();
    await dialogOf(page).getByLabel("Code").waitFor();
    await dialogOf(page)
      .getByLabel("Code")
      .fill(await pages.waitForCode(email));
    await dialogOf(page).getByRole("button", { name: "Add address" }).click();
    await page.getByText(`Email address set to ${email}.`).waitFor();
    expect(person.browserErrors).toEqual([]);
  });
});
