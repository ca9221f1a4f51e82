/** Agent page in a real browser: on-chain registration, trust score, credential presentation, revocation and reinstatement. */
import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const LIVE = { timeout: 30_000 };

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
afterAll(() => pages?.stop());

it("explains how to create an agent, and shows the agent after an API token was created", async () => {
  const person = await pages.openUser();
  const { page } = person;
  const email = `${randomUUID()}@example.test`;
  await pages.signIn(person, email, "/dashboard/agent");
  await page.getByText("No agent yet.").waitFor();
  await checkPage(person, "agent-none");
  await page.getByRole("link", { name: "Create API token" }).click();
  await page.getByRole("button", { name: "New token" }).first().click();
  await page.getByLabel("Name").fill("laptop");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByText("Shown only once").waitFor();
  await page.goto("/dashboard/agent");
  // Without a reload: the page receives updates when the agent is registered and when its credentials are issued.
  await page.getByText("Active", { exact: true }).waitFor(LIVE);
  await page.getByRole("heading", { name: "Delegation" }).waitFor(LIVE);
  const agent = await pages.stack.service.deps.db.prisma.agent.findFirstOrThrow({
    where: { account: { email } },
    include: { account: { include: { wallet: true } }, transactions: { where: { purpose: "register" } } },
  });
  await page.getByText(`Agent ${agent.agentId}`, { exact: true }).waitFor();
  await page.getByTitle(String(agent.account.wallet?.evmAddress)).waitFor();
  await page.getByTitle(String(agent.transactions[0]?.txHash)).waitFor();
  await page.getByTitle(`eip155:84532:${agent.registryAddress}`).waitFor();
  await expect.poll(() => page.getByRole("list", { name: "Components" }).getByRole("listitem").count()).toBe(4);
  await page.getByText("Claims", { exact: true }).first().click();
  await checkPage(person, "agent");
});

describe("an active agent", () => {
  let person: PageUser;
  beforeEach(async () => {
    const { accountId } = await pages.stack.account();
    await ensureAgent(pages.stack.service.deps, accountId);
    person = await openSignedInPage(pages, accountId);
    await person.page.goto("/dashboard/agent");
    await person.page.getByRole("heading", { name: "Delegation" }).waitFor(LIVE);
  });

  it("presents a credential to one verifier, and discloses only the selected claims", async () => {
    const { page } = person;
    await page.getByRole("button", { name: "Present", exact: true }).first().click();
    const dialog = page.getByRole("dialog", { name: "Present credential" });
    await dialog.getByLabel("Audience").fill("https://merchant.example");
    await dialog.getByLabel("Nonce").fill("nonce-4711-abcdef");
    await dialog.getByRole("checkbox").first().check();
    await checkPage(person, "agent-present");
    await dialog.getByRole("button", { name: "Sign", exact: true }).click();
    const presentation = (await page.getByRole("region", { name: "Presentation" }).textContent()) ?? "";
    const parts = presentation.trim().split("~");
    // The credential, one disclosure, and the key binding to this verifier.
    expect(parts).toHaveLength(3);
    expect(decodeJwt(String(parts[2]))).toMatchObject({ aud: "https://merchant.example", nonce: "nonce-4711-abcdef" });
    await page.getByRole("button", { name: "Done" }).click();
  });

  it("can be revoked with its credentials, and reinstated with new credentials", async () => {
    const { page } = person;
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByLabel("Reason").fill("A lost laptop");
    await checkPage(person, "agent-revoke");
    await page.getByRole("button", { name: "Revoke agent" }).click();
    await page.getByText("Revoked", { exact: true }).first().waitFor();
    await page.getByText("Reason: A lost laptop").waitFor();
    await checkPage(person, "agent-revoked");
    await page.getByRole("button", { name: "Reinstate" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await expect.poll(() => page.getByText("Valid", { exact: true }).count(), LIVE).toBe(2);
  });
});
