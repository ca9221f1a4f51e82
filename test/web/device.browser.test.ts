/** Connection of a device on the pages: sign-in, the code, the decision, and the tokens of the device. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, postOAuth, type TestClient } from "../support/oauth.ts";
import { checkPage, openPages, type Pages } from "../support/pages.ts";
import { openSignedInPage, signInAllTabs } from "./signed-in-browser.ts";

let pages: Pages;
let device: TestClient;

beforeAll(async () => {
  pages = await openPages();
  device = await createClient(pages.stack, { kind: "public", deviceGrant: true });
}, 120_000);
afterAll(() => pages?.stop());

const begin = async () =>
  (
    await postOAuth(pages.stack, "/oauth/device_authorization", {
      client_id: device.clientId,
      scope: "payments:sign balance:read",
    })
  ).json;
const poll = async ({ device_code }: { device_code: string }) =>
  (
    await postOAuth(pages.stack, "/oauth/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: device.clientId,
      device_code,
    })
  ).json;

it("connects a device with a typed code after sign-in, within the limits of the user", async () => {
  const codes = await begin();
  const { accountId } = await pages.stack.account();
  const user = await pages.openUser();
  const { page } = user;
  await page.goto("/device");
  await page.getByText("Signing in does not grant access.").waitFor();
  await signInAllTabs(pages, user, accountId);
  await page.reload();
  const code = page.getByLabel("Code");
  await code.fill("bbbb bbbb");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("No device waits with this code.").waitFor();
  await checkPage(user, "device-code");
  await code.fill(codes.user_code.toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "requests payment access" }).waitFor();
  await page.getByText(codes.user_code, { exact: true }).waitFor();
  await page.getByText("Allow only if your device shows this code.").waitFor();
  expect(await page.locator("main").textContent()).toMatch(/from (?:127\.0\.0\.1|::1)\./);
  await checkPage(user, "device-consent");
  await page.getByLabel("Per payment").fill("1");
  await page.getByLabel("Per day").fill("2");
  await page.getByLabel("Per month").fill("3");
  await page.getByLabel("base-sepolia").check();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Device connected" }).waitFor();
  await checkPage(user, "device-connected");
  expect(await poll(codes)).toMatchObject({ scope: "payments:sign balance:read" });
  const grant = await pages.stack.service.deps.db.prisma.oAuthGrant.findFirstOrThrow({ where: { accountId } });
  const budget = await pages.stack.service.deps.db.prisma.budget.findUniqueOrThrow({ where: { id: grant.id } });
  expect(budget.dailyLimitMicroUsd).toBe(2_000_000n);
});

it("shows the code of a link to compare, and denies", async () => {
  const codes = await begin();
  const { page } = await openSignedInPage(pages, (await pages.stack.account()).accountId);
  await page.goto(codes.verification_uri_complete);
  await page.getByText("Continue only if your device shows the same code.").waitFor();
  expect(await page.getByLabel("Code").inputValue()).toBe(codes.user_code);
  expect(await poll(codes)).toMatchObject({ error: "authorization_pending" });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Request denied" }).waitFor();
  const row = { where: { userCode: codes.user_code.replace("-", "") } };
  await pages.stack.service.deps.db.prisma.oAuthRequest.update({ ...row, data: { lastPolledAt: null } });
  expect(await poll(codes)).toMatchObject({ error: "access_denied" });
});
