/** Second line of defence for message HTML: even unsanitised, it runs no script, loads nothing and cannot reach the page around it. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createMailbox, storeMessage } from "../mail/fixtures.ts";
import { openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
let person: PageUser;
let account: TestAccount;
let message: { readonly id: string; readonly threadId: string };
let elsewhere: Server;
const requestedUrls: string[] = [];

beforeAll(async () => {
  pages = await openPages();
  elsewhere = createServer((request, response) => {
    requestedUrls.push(request.url ?? "");
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  }).listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
}, START_TIMEOUT_MS);
beforeEach(async () => {
  account = await pages.stack.account();
  person = await openSignedInPage(pages, account.accountId);
  const mailbox = await createMailbox(pages.stack, account);
  message = await storeMessage(pages.stack, mailbox, { subject: "Look", bodyHtml: hostile(elsewhereUrl()) });
});
afterAll(async () => {
  elsewhere?.close();
  await pages?.stop();
});

const elsewhereUrl = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

/** HTML whose scripts set the page title and whose resources request `url`, both of which the test observes. */
const hostile = (
  url: string,
) => `<title>gone</title><base href="${url}/base/"><meta http-equiv="refresh" content="0;url=${url}/refresh">
  <link rel="stylesheet" href="${url}/style.css"><style>@import "${url}/import.css"; body { background: url(${url}/background.png) }</style>
  <script>parent.document.title = "owned"; fetch("${url}/script")</script><script src="${url}/script.js"></script>
  <img src="${url}/picture.png" alt=""><img src="/mail/messages/x/html" onerror="parent.document.title = 'owned'" alt="">
  <svg onload="parent.document.title = 'owned'"><image href="${url}/svg.png" /></svg><body onload="parent.document.title = 'owned'">
  <iframe src="${url}/frame" srcdoc="<script>top.document.title = 'owned'</script>"></iframe><object data="${url}/object"></object>
  <embed src="${url}/embed"><video src="${url}/video" poster="${url}/poster.png" autoplay></video><audio src="${url}/audio" autoplay></audio>
  <form id="f" action="${url}/form"><input name="password" autofocus onfocus="parent.document.title = 'owned'"><button>Sign in again</button></form>
  <a href="javascript:parent.document.title = 'owned'">script</a> <a href="${url}/top" target="_top">top</a><p>The end</p>`;

it("runs and loads nothing, in its frame and as a top-level page", async () => {
  const { id, threadId } = message;
  const { page } = person;
  await page.goto(`/dashboard/mail/${threadId}`);
  const frame = page.frameLocator("iframe");
  await frame.getByText("The end").waitFor();
  const titleBefore = await page.title();
  await frame.getByRole("button", { name: "Sign in again" }).click();
  for (const link of ["script", "top"]) {
    await frame.getByText(link, { exact: true }).click();
  }
  // A reload completes after the navigations and requests that the clicks could have started.
  await page.reload();
  await frame.getByText("The end").waitFor();
  await expect.poll(() => page.title()).toBe(titleBefore);
  expect(new URL(page.url()).pathname).toBe(`/dashboard/mail/${threadId}`);

  await page.goto(`/mail/messages/${id}/html`);
  await page.getByText("The end").waitFor();
  await expect.poll(() => page.title()).not.toBe("owned");
  expect(requestedUrls).toEqual([]);
});

it("is served only to the account of the message, with a restrictive content security policy", async () => {
  const { rest } = pages.stack;
  const path = `/mail/messages/${message.id}/html`;
  const otherAccount = await pages.stack.account();
  expect((await rest(null, "GET", path)).status).toBe(401);
  expect((await rest(otherAccount.token, "GET", path)).status).toBe(404);
  expect((await rest(account.token, "GET", "/mail/messages/aem_1_none/html")).status).toBe(404);
  const { status, headers } = await rest(account.token, "GET", path);
  expect(status).toBe(200);
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none';.* img-src data:;.* sandbox allow-same-origin/,
  );
  expect(headers.get("content-security-policy")).not.toContain("allow-scripts");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  const shown = await rest(account.token, "GET", `${path}?images=show`);
  expect(shown.headers.get("content-security-policy")).toContain("img-src data: https: http:;");
  // A cross-site request is rejected in spite of the session cookie.
  const cookie = (await person.page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const crossSite = { cookie, "sec-fetch-site": "cross-site" };
  expect((await rest(null, "GET", path, undefined, crossSite)).status).toBe(401);
  expect((await rest(null, "GET", path, undefined, { cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
});
