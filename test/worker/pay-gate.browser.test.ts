/** At most one payment request reaches the merchant, regardless of page, connection and browser. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CARD_NUMBER as CARD, openGate as openGateAt, startServer } from "./gate-fixture.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let browser: SharedWorkerBrowser;
let merchant: Server;
let processor: Server;
let merchantUrl = "";
let processorUrl = "";
let respond: Handler = () => {};
let context: BrowserContext;
let page: Page;
/** `METHOD /path body` of each request other than GET that reached a server. */
let receivedRequests: string[] = [];

beforeAll(async () => {
  browser = await sharedWorkerBrowser();
  const start = () =>
    startServer((request, response) => {
      if (request.method === "GET") return void response.setHeader("content-type", "text/html").end("<p>A page</p>");
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        receivedRequests.push(`${request.method} ${request.url} ${body}`);
        response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
        respond(request, response);
      });
    });
  [merchant, processor] = await Promise.all([start(), start()]);
  merchantUrl = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}`;
  processorUrl = `http://localhost:${(processor.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  receivedRequests = [];
  respond = (_request, response) => void response.end("{}");
  await openPage();
});
afterEach(() => context.close());
afterAll(() => {
  for (const server of [merchant, processor]) server.close();
});

async function openPage() {
  context = await browser.openContext();
  page = await context.newPage();
  await page.goto(`${merchantUrl}/checkout`);
}

const openGate = ({ certain = "", ...more }: Partial<Parameters<typeof openGateAt>[1]> & { certain?: string } = {}) =>
  openGateAt(context, { merchantUrl, processorUrl, certainUrl: merchantUrl + certain, ...more });

/** Posts from the page and returns the status, or `lost` without a response. */
const post = (path: string, body: string) =>
  page.evaluate(
    `fetch(${JSON.stringify(path)}, { method: "POST", body: ${JSON.stringify(body)}, headers: { "content-type": "application/x-www-form-urlencoded" } }).then((it) => it.status, () => "lost")`,
  );

describe("a payment", () => {
  it("is blocked until the gate is open", async () => {
    const gate = await openGate({ certain: "/pay" });
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(await post("/update", "city=Paris")).toBe(200);
    await page.evaluate(
      `document.body.innerHTML = '<form method="post" action="/elsewhere"><button>Go</button></form>'; document.forms[0].submit()`,
    );
    await expect.poll(() => gate.refused).toBe(2);
    expect(receivedRequests).toEqual(["POST /update city=Paris"]);
  });

  it("is blocked on a page that loads while the gate is installed", async () => {
    for (let delayMs = 0; delayMs < 25; delayMs++) {
      const loaded = page.waitForEvent("load");
      await page.evaluate("setTimeout(() => location.reload(), 5)");
      await page.waitForTimeout(delayMs);
      await openGate({ certain: "/pay" });
      await loaded;
      expect(await post("/pay", "token=1")).toBe("lost");
      await context.close();
      await openPage();
    }
    expect(receivedRequests).toEqual([]);
  });

  it("is sent once when the page sends it repeatedly", async () => {
    const gate = await openGate();
    gate.press(null);
    const sent = await Promise.all(["/pay?n=1", "/pay?n=2", "/pay?n=3"].map((path) => post(path, `token=${path}`)));
    expect(sent.toSorted()).toEqual([200, "lost", "lost"]);
    expect(receivedRequests).toHaveLength(1);
    expect(await post("/pay", "token=later")).toBe("lost");
    expect(receivedRequests).toHaveLength(1);
    expect(gate.isLost).toBe(false);
  });

  it.each([1, 2, 3])("is not resent after a dropped connection, nor to another path (run %i)", async () => {
    const gate = await openGate({ certain: "/pay" });
    // Browsers resend requests only on reused connections.
    expect(await post("/update", "city=Paris")).toBe(200);
    gate.press(null);
    respond = (request) => void request.socket.destroy();
    expect(await post("/pay", "token=1")).toBe("lost");
    respond = (_request, response) => void response.end("{}");
    expect(await post("/pay-again", "token=1")).toBe("lost");
    expect(await post("/pay?retry=1", "token=1&retry=1")).toBe("lost");
    expect(receivedRequests).toEqual(["POST /update city=Paris", "POST /pay token=1"]);
    expect(gate).toMatchObject({ isLost: true, sent: [{ state: "lost", httpStatus: null }] });
  });

  it("counts as lost when the merchant hangs or fails", async () => {
    const gate = await openGate({ responseMs: 1_000 });
    gate.press(null);
    respond = () => {};
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(gate.isLost).toBe(true);
    const other = await browser.openContext();
    context = other;
    page = await other.newPage();
    await page.goto(`${merchantUrl}/checkout`);
    const failing = await openGate();
    failing.press(null);
    respond = (_request, response) => void response.writeHead(502).end();
    expect(await post("/pay", "token=2")).toBe(502);
    expect(await post("/pay-again", "token=2")).toBe("lost");
    expect(failing).toMatchObject({ isLost: true, sent: [{ state: "responded", httpStatus: 502 }] });
  });

  it("is sent once as a form, and its redirect is followed", async () => {
    const gate = await openGate({ certain: "/pay" });
    gate.press(null);
    respond = (_request, response) => void response.writeHead(303, { location: "/thanks" }).end();
    await page.evaluate(
      `document.body.innerHTML = '<form method="post" action="/pay"><input name="token" value="1"></form>'; document.forms[0].submit()`,
    );
    await page.waitForURL("**/thanks");
    expect(receivedRequests).toEqual(["POST /pay token=1"]);
  });

  it("follows a 307 redirect without opening the gate to another payment", async () => {
    const gate = await openGate({ certain: "/pay" });
    gate.press(null);
    respond = ({ url }, response) =>
      void (url === "/pay" ? response.writeHead(307, { location: "/really-pay" }) : response.writeHead(200)).end("{}");
    expect(await post("/pay", "token=1")).toBe(200);
    expect(receivedRequests).toEqual(["POST /pay token=1", "POST /really-pay token=1"]);
    respond = (request) => void request.socket.destroy();
    expect(await post("/really-pay", "token=1")).toBe("lost");
  });

  it("sends no cookies of the merchant to the target of a redirect", async () => {
    const gate = await openGate({ certain: "/pay" });
    await page.evaluate(`document.cookie = "session=secret"`);
    gate.press(null);
    const cookies: (string | undefined)[] = [];
    respond = ({ url, headers }, response) => {
      cookies.push(headers.cookie);
      response.writeHead(url === "/pay" ? 307 : 200, { location: `${processorUrl}/charge` }).end("{}");
    };
    expect(await post("/pay", "token=1")).toBe(200);
    expect(receivedRequests).toEqual(["POST /pay token=1", "POST /charge token=1"]);
    expect(cookies).toEqual(["session=secret", undefined]);
  });

  it("is not redirected with the card to an origin that is no known recipient", async () => {
    const gate = await openGate({ certain: "/pay", processorUrl: null });
    gate.press(null);
    respond = ({ url }, response) =>
      void response.writeHead(url === "/pay" ? 308 : 200, { location: `${processorUrl}/elsewhere` }).end("{}");
    expect(await post("/pay", `number=${CARD}`)).toBe("lost");
    expect(receivedRequests).toEqual([`POST /pay number=${CARD}`]);
    expect(gate.isLost).toBe(true);
  });

  it("is blocked as a beacon before and after it is sent", async () => {
    const gate = await openGate({ certain: "/pay" });
    await page.evaluate(`navigator.sendBeacon("/pay", "early=1")`);
    await expect.poll(() => gate.refused).toBe(1);
    gate.press(null);
    expect(await post("/pay", "token=1")).toBe(200);
    await page.evaluate(`navigator.sendBeacon("/pay", "again=1")`);
    await expect.poll(() => gate.refused).toBe(2);
    expect(receivedRequests).toEqual(["POST /pay token=1"]);
  });

  it("is sent once from a srcdoc document", async () => {
    const gate = await openGate();
    gate.press(null);
    const callCharge = (n: number) => `fetch('${merchantUrl}/charge?${n}', { method: 'POST', body: 'n=${n}' })`;
    const inner = `<iframe srcdoc="<script>${callCharge(1)};${callCharge(2)}</script>"></iframe>`;
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(inner)}`);
    await expect.poll(() => gate.refused).toBe(1);
    await expect.poll(() => receivedRequests.length).toBe(1);
  });

  it.each([
    ["an earlier worker", "early.postMessage('go')"],
    ["a worker", "new Worker(URL.createObjectURL(new Blob([POST])))"],
    ["a srcdoc frame", "add('iframe', { srcdoc: '<script>' + POST + '</script>' })"],
    ["a form with a new page as target", "add('form', { method: 'post', action: '/pay', target: '_blank' }).submit()"],
    ["a beacon", "navigator.sendBeacon('/pay', 'token=1')"],
    ["a keepalive request", "fetch('/pay', { method: 'POST', body: 'token=1', keepalive: true })"],
    ["a link with ping", "add('a', { href: '#x', ping: '/pay' }).click()"],
  ])("is blocked from %s until the gate is open", async (_what, send) => {
    await page.evaluate(`
      POST = "fetch('${merchantUrl}/pay', { method: 'POST', body: 'token=1' })";
      early = new Worker(URL.createObjectURL(new Blob(["onmessage = () => " + POST])));
      add = (tag, props) => document.body.appendChild(Object.assign(document.createElement(tag), props));`);
    const gate = await openGate({ certain: "/pay" });
    await page.evaluate(`void (${send})`);
    await expect
      .poll(() => ({ refused: gate.refused, reached: receivedRequests }))
      .toEqual({ refused: 1, reached: [] });
  });

  it("is blocked from an attached nested worker until the gate is open", async () => {
    const worker = (source: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}])))`;
    const inner = `onmessage = () => fetch("${merchantUrl}/pay", { method: "POST", body: "token=1" })`;
    await page.evaluate(
      `void (outer = ${worker(`inner = ${worker(inner)}; onmessage = () => inner.postMessage("go")`)})`,
    );
    // Playwright attaches to a nested worker only after its start.
    await expect.poll(() => page.workers().length).toBe(2);
    for (const attached of page.workers()) await attached.evaluate("0");
    const gate = await openGate({ certain: "/pay" });
    await page.evaluate("outer.postMessage('go')");
    await expect
      .poll(() => ({ refused: gate.refused, reached: receivedRequests }))
      .toEqual({ refused: 1, reached: [] });
  });

  it("cannot be deferred past the routes with fetchLater", async () => {
    expect(await page.evaluate("typeof fetchLater")).toBe("undefined");
  });

  it("cannot be sent from a shared worker", async () => {
    await openGate({ certain: "/pay" });
    const source = `fetch("${merchantUrl}/pay", { method: "POST", body: "shared=1" })`;
    const url = `URL.createObjectURL(new Blob([${JSON.stringify(source)}]))`;
    const creation = page.evaluate(`new SharedWorker(${url}) && "made"`);
    expect(await creation.catch(() => "refused")).toBe("refused");
  });

  it("is sent a second time, once, with the bank's result after a challenge", async () => {
    const gate = await openGate({ certain: "/pay" });
    gate.press(null);
    expect(await post("/pay", "token=1")).toBe(200);
    expect(await post("/pay", "token=1&bank=yes")).toBe("lost");
    gate.allowAfterChallenge();
    // The repeated request receives the first response.
    expect(await post("/pay", "token=1")).toBe(200);
    expect(await post("/pay", "token=1&bank=yes")).toBe(200);
    expect(await post("/pay", "token=1&bank=twice")).toBe("lost");
    expect(receivedRequests).toEqual(["POST /pay token=1", "POST /pay token=1&bank=yes"]);
  });

  it("is blocked after the gate is closed", async () => {
    const gate = await openGate();
    gate.press(null);
    await gate.close();
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(receivedRequests).toEqual([]);
  });
});

describe("a request other than the payment", () => {
  it("is allowed once with other contents when it was sent before the click", async () => {
    const key = `POST ${merchantUrl}/update  city `;
    const gate = await openGate({ seen: [key] });
    gate.press(null);
    expect(await post("/update", "city=Paris")).toBe(200);
    expect(await post("/update", "city=Rome")).toBe("lost");
    // The same URL with an additional field is a different request.
    expect(await post("/update", "city=Oslo&pay=1")).toBe(200);
    expect(await post("/update", "city=Rome&pay=1")).toBe("lost");
    expect(receivedRequests).toHaveLength(2);
    expect(gate.sent).toHaveLength(1);
  });

  it("is recorded when the browser follows a redirect that repeats it", async () => {
    const commits: string[] = [];
    const key = `POST ${processorUrl}/update  city `;
    const gate = await openGate({ seen: [key], commit: async () => void commits.push("commit") });
    respond = ({ url }, response) =>
      void response.writeHead(url === "/update" ? 307 : 200, { location: `${merchantUrl}/place` }).end("{}");
    gate.press(null);
    expect(await post(`${processorUrl}/update`, "city=Paris")).toBe(200);
    await expect.poll(() => gate.hasLeft).toBe(true);
    expect(receivedRequests.at(-1)).toBe("POST /place city=Paris");
    expect(commits).toEqual(["commit"]);
  });

  it("is a poll that a profile names, after the payment", async () => {
    const gate = await openGate();
    gate.press(null);
    const callCharge = (operationName: string, more = {}) =>
      post("/graphql", JSON.stringify({ operationName, query: "mutation", ...more }));
    expect(await callCharge("SubmitForCompletion", { number: CARD })).toBe(200);
    for (let poll = 1; poll <= 3; poll += 1) expect(await callCharge("PollForReceipt")).toBe(200);
    expect(await callCharge("Other")).toBe("lost");
    expect(receivedRequests).toHaveLength(4);
  });

  it("is allowed from the card's frame to its own origin", async () => {
    const gate = await openGate();
    gate.press(null);
    await page.evaluate(`document.body.innerHTML = '<iframe src="${processorUrl}/card"></iframe>'`);
    await expect.poll(() => page.frames().length).toBe(2);
    const frame = page.frames()[1];
    await frame?.waitForLoadState();
    for (const number of [1, 2]) {
      expect(
        await frame?.evaluate(`fetch("/tokens", { method: "POST", body: "n=${number}" }).then((it) => it.status)`),
      ).toBe(200);
    }
    expect(receivedRequests).toEqual(["POST /tokens n=1", "POST /tokens n=2"]);
    expect(gate.sent).toEqual([]);
  });
});
