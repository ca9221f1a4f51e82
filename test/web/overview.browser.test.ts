/** The overview while nothing is known yet, and while Satchel does not answer: it says nothing that may be wrong, and loses nothing. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { judge, openPages, type Pages, type Person, START_TIMEOUT_MS } from "../support/pages.ts";
import { personOf } from "./people.ts";

let pages: Pages;
let person: Person;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  person = await personOf(pages, (await pages.stack.account()).accountId);
});
afterAll(() => pages?.stop());

const toggle = () => person.page.getByRole("switch", { name: "X402 payments" });
const skeletons = () => person.page.locator("main span.bg-line[aria-hidden=true]");

it("says nothing of payments before it is known whether they are on", async () => {
  const { page } = person;
  const { promise: isTime, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("query Overview")) await isTime;
    await route.continue();
  });
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  await expect.poll(() => toggle().count()).toBe(0);
  await expect.poll(() => page.getByText(/X402 payments are|tokens and apps pay|Nothing can pay/).count()).toBe(0);
  await judge(person, "overview-loading");
  answer();
  await page.getByText("Your tokens and apps pay for what they fetch, within your limits.").waitFor();
  await expect.poll(() => toggle().isChecked()).toBe(true);
});

it("says that no answer came back, and no more, until one does", async () => {
  const { page } = person;
  await page.goto("/cards");
  await page.getByRole("heading", { level: 1, name: "Cards" }).waitFor();
  await page.route("**/graphql", (route) => route.abort());
  await page.getByRole("link", { name: "Overview" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "No answer came back" });
  await notice.waitFor();
  await expect
    .poll(() => notice.getByRole("paragraph").textContent())
    .toBe("No answer came back from Satchel. Check your connection, and try again.");
  expect([await toggle().count(), await skeletons().count()]).toEqual([0, 0]);
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  const below = ((await notice.boundingBox())?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0);
  expect(below).toBeGreaterThanOrEqual(12);
  // The browser reports every request that failed.
  person.complaints.length = 0;
  await judge(person, "overview-away");
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Try again" }).click();
  await toggle().waitFor();
  await expect.poll(() => notice.count()).toBe(0);
});

it("says of a change that it may have been done", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await toggle().waitFor();
  await page.route("**/graphql", (route) => route.abort());
  await toggle().click();
  await page.getByText("Check your connection, and whether it was done, before you try again.").waitFor();
});

it("keeps what is known, and what somebody is writing, while Satchel is away", async () => {
  const { page } = person;
  let isAway = false;
  let lose = () => {};
  await page.routeWebSocket("**/graphql", (socket) => {
    if (isAway) return void socket.close({ code: 1012 });
    socket.connectToServer();
    lose = () => void socket.close({ code: 1012 });
  });
  await page.route("**/graphql", (route) => (isAway ? route.abort() : route.continue()));
  const connected = page.waitForEvent("websocket");
  await page.goto("/dashboard");
  await connected;
  await toggle().waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("A day, at most").fill("12");
  isAway = true;
  lose();
  const notice = page.getByText("What you see may be old");
  await notice.waitFor();
  await expect.poll(() => page.getByLabel("A day, at most").inputValue()).toBe("12");
  await page.keyboard.press("Escape");
  await expect.poll(() => toggle().isChecked()).toBe(true);
  // The browser reports every request that failed.
  person.complaints.length = 0;
  await page.evaluate("scrollTo(0, 400)");
  expect((await notice.boundingBox())?.y).toBe(0);
  isAway = false;
  await notice.waitFor({ state: "detached" });
});

it("says where money came from only of what was paid", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  const given = page
    .getByRole("table", { name: "Transactions, newest first" })
    .locator("tr", { hasText: "Free credit" });
  await given.waitFor();
  await expect.poll(() => given.textContent()).toContain("5.00 USD");
  expect(await given.textContent()).not.toContain("from credit");
});
