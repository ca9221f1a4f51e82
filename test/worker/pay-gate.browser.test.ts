/** Of what pays, one request reaches the shop: whatever its page, its connection or the browser make of it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { installPayGate, type PayGate } from "../../src/worker/checkout/pay-gate.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let browser: SharedWorkerBrowser;
let shop: Server;
let processor: Server;
let shopUrl = "";
let processorUrl = "";
let answer: Handler = () => {};
let context: BrowserContext;
let page: Page;
/** `METHOD /path body`, of whatever reached a server and was no page. */
let reached: string[] = [];

beforeAll(async () => {
  browser = await sharedWorkerBrowser();
  const serve = async () => {
    const server = createServer((request, response) => {
      if (request.method === "GET") return void response.setHeader("content-type", "text/html").end("<p>A page</p>");
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        reached.push(`${request.method} ${request.url} ${body}`);
        response.setHeader("access-control-allow-origin", "*").setHeader("access-control-allow-headers", "*");
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
  };
  [shop, processor] = await Promise.all([serve(), serve()]);
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  processorUrl = `http://localhost:${(processor.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  reached = [];
  answer = (_request, response) => void response.end("{}");
  await openPage();
});
afterEach(() => context.close());
afterAll(() => {
  for (const server of [shop, processor]) server.close();
});

async function openPage() {
  context = await browser.openContext();
  page = await context.newPage();
  await page.goto(`${shopUrl}/checkout`);
}

function stand({ certain = "", seen = [] as string[], answerMs = 5_000 } = {}): Promise<PayGate> {
  return installPayGate(context, {
    shopOrigins: new Set([shopUrl]),
    isPayment: (url) => certain !== "" && url === shopUrl + certain,
    seen: new Set(seen),
    answerMs,
  });
}

/** Posts from the page; what does not come back is `lost`. */
const post = (path: string, body: string) =>
  page.evaluate(
    `fetch(${JSON.stringify(path)}, { method: "POST", body: ${JSON.stringify(body)}, headers: { "content-type": "application/x-www-form-urlencoded" } }).then((it) => it.status, () => "lost")`,
  );

describe("a payment", () => {
  it("does not leave before the gate is open", async () => {
    const gate = await stand({ certain: "/pay" });
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(await post("/update", "city=Paris")).toBe(200);
    await page.evaluate(
      `document.body.innerHTML = '<form method="post" action="/elsewhere"><button>Go</button></form>'; document.forms[0].submit()`,
    );
    await expect.poll(() => gate.refused).toBe(2);
    expect(reached).toEqual(["POST /update city=Paris"]);
  });

  it("leaves no page that loads while the gate is put up", async () => {
    for (let delayMs = 0; delayMs < 25; delayMs++) {
      const loaded = page.waitForEvent("load");
      await page.evaluate("setTimeout(() => location.reload(), 5)");
      await page.waitForTimeout(delayMs);
      await stand({ certain: "/pay" });
      await loaded;
      expect(await post("/pay", "token=1")).toBe("lost");
      await context.close();
      await openPage();
    }
    expect(reached).toEqual([]);
  });

  it("leaves once, however often the page sends it", async () => {
    const gate = await stand();
    gate.open();
    const sent = await Promise.all(["/pay?n=1", "/pay?n=2", "/pay?n=3"].map((path) => post(path, `token=${path}`)));
    expect(sent.toSorted()).toEqual([200, "lost", "lost"]);
    expect(reached).toHaveLength(1);
    expect(await post("/pay", "token=later")).toBe("lost");
    expect(reached).toHaveLength(1);
    expect(gate.isLost).toBe(false);
  });

  it.each([1, 2, 3])("is not sent again when its connection is dropped, nor elsewhere (run %i)", async () => {
    const gate = await stand({ certain: "/pay" });
    // Connections that were used before are those that browsers send again on.
    expect(await post("/update", "city=Paris")).toBe(200);
    gate.open();
    answer = (request) => void request.socket.destroy();
    expect(await post("/pay", "token=1")).toBe("lost");
    answer = (_request, response) => void response.end("{}");
    expect(await post("/pay-again", "token=1")).toBe("lost");
    expect(await post("/pay?retry=1", "token=1&retry=1")).toBe("lost");
    expect(reached).toEqual(["POST /update city=Paris", "POST /pay token=1"]);
    expect(gate).toMatchObject({ isLost: true, sent: [{ state: "lost", httpStatus: null }] });
  });

  it("counts as lost when the shop hangs, or fails", async () => {
    const gate = await stand({ answerMs: 1_000 });
    gate.open();
    answer = () => {};
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(gate.isLost).toBe(true);
    const other = await browser.openContext();
    context = other;
    page = await other.newPage();
    await page.goto(`${shopUrl}/checkout`);
    const failing = await stand();
    failing.open();
    answer = (_request, response) => void response.writeHead(502).end();
    expect(await post("/pay", "token=2")).toBe(502);
    expect(await post("/pay-again", "token=2")).toBe("lost");
    expect(failing).toMatchObject({ isLost: true, sent: [{ state: "responded", httpStatus: 502 }] });
  });

  it("is sent as a form, once, and its redirect is followed", async () => {
    const gate = await stand({ certain: "/pay" });
    gate.open();
    answer = (_request, response) => void response.writeHead(303, { location: "/thanks" }).end();
    await page.evaluate(
      `document.body.innerHTML = '<form method="post" action="/pay"><input name="token" value="1"></form>'; document.forms[0].submit()`,
    );
    await page.waitForURL("**/thanks");
    expect(reached).toEqual(["POST /pay token=1"]);
  });

  it("is sent on where the shop asks for that, past no gate", async () => {
    const gate = await stand({ certain: "/pay" });
    gate.open();
    answer = ({ url }, response) =>
      void (url === "/pay" ? response.writeHead(307, { location: "/really-pay" }) : response.writeHead(200)).end("{}");
    expect(await post("/pay", "token=1")).toBe(200);
    expect(reached).toEqual(["POST /pay token=1", "POST /really-pay token=1"]);
    answer = (request) => void request.socket.destroy();
    expect(await post("/really-pay", "token=1")).toBe("lost");
  });

  it("takes nothing of the shop's along to whoever it is sent on to", async () => {
    const gate = await stand({ certain: "/pay" });
    await page.evaluate(`document.cookie = "session=secret"`);
    gate.open();
    const cookies: (string | undefined)[] = [];
    answer = ({ url, headers }, response) => {
      cookies.push(headers.cookie);
      response.writeHead(url === "/pay" ? 307 : 200, { location: `${processorUrl}/charge` }).end("{}");
    };
    expect(await post("/pay", "token=1")).toBe(200);
    expect(reached).toEqual(["POST /pay token=1", "POST /charge token=1"]);
    expect(cookies).toEqual(["session=secret", undefined]);
  });

  it("leaves once as a beacon too", async () => {
    const gate = await stand({ certain: "/pay" });
    await page.evaluate(`navigator.sendBeacon("/pay", "early=1")`);
    await expect.poll(() => gate.refused).toBe(1);
    gate.open();
    expect(await post("/pay", "token=1")).toBe(200);
    await page.evaluate(`navigator.sendBeacon("/pay", "again=1")`);
    await expect.poll(() => gate.refused).toBe(2);
    expect(reached).toEqual(["POST /pay token=1"]);
  });

  it("leaves once from a document that the page wrote itself", async () => {
    const gate = await stand();
    gate.open();
    const ask = (n: number) => `fetch('${processorUrl}/charge?${n}', { method: 'POST', body: 'n=${n}' })`;
    const inner = `<iframe srcdoc="<script>${ask(1)};${ask(2)}</script>"></iframe>`;
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(inner)}`);
    await expect.poll(() => gate.refused).toBe(1);
    await expect.poll(() => reached.length).toBe(1);
  });

  it.each([
    ["a worker of before", "early.postMessage('go')"],
    ["a worker", "new Worker(URL.createObjectURL(new Blob([POST])))"],
    ["a frame that the page wrote", "add('iframe', { srcdoc: '<script>' + POST + '</script>' })"],
    ["a form into a new page", "add('form', { method: 'post', action: '/pay', target: '_blank' }).submit()"],
    ["a beacon", "navigator.sendBeacon('/pay', 'token=1')"],
    ["what may outlive the page", "fetch('/pay', { method: 'POST', body: 'token=1', keepalive: true })"],
    ["a link that pings", "add('a', { href: '#x', ping: '/pay' }).click()"],
  ])("does not leave from %s before the gate is open", async (_what, send) => {
    await page.evaluate(`
      POST = "fetch('${shopUrl}/pay', { method: 'POST', body: 'token=1' })";
      early = new Worker(URL.createObjectURL(new Blob(["onmessage = () => " + POST])));
      add = (tag, props) => document.body.appendChild(Object.assign(document.createElement(tag), props));`);
    const gate = await stand({ certain: "/pay" });
    await page.evaluate(`void (${send})`);
    await expect.poll(() => ({ refused: gate.refused, reached })).toEqual({ refused: 1, reached: [] });
  });

  it("does not leave from a nested worker that the browser is attached to, before the gate is open", async () => {
    const worker = (source: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(source)}])))`;
    const inner = `onmessage = () => fetch("${shopUrl}/pay", { method: "POST", body: "token=1" })`;
    await page.evaluate(
      `void (outer = ${worker(`inner = ${worker(inner)}; onmessage = () => inner.postMessage("go")`)})`,
    );
    // Playwright attaches to a nested worker only after it began to run.
    await expect.poll(() => page.workers().length).toBe(2);
    for (const attached of page.workers()) await attached.evaluate("0");
    const gate = await stand({ certain: "/pay" });
    await page.evaluate("outer.postMessage('go')");
    await expect.poll(() => ({ refused: gate.refused, reached })).toEqual({ refused: 1, reached: [] });
  });

  it("leaves later in no way that no route sees", async () => {
    expect(await page.evaluate("typeof fetchLater")).toBe("undefined");
  });

  it("leaves from no worker that pages share", async () => {
    await stand({ certain: "/pay" });
    const source = `fetch("${shopUrl}/pay", { method: "POST", body: "shared=1" })`;
    const url = `URL.createObjectURL(new Blob([${JSON.stringify(source)}]))`;
    const made = page.evaluate(`new SharedWorker(${url}) && "made"`);
    expect(await made.catch(() => "refused")).toBe("refused");
  });

  it("is sent again after the bank was asked, with what the bank said, once", async () => {
    const gate = await stand({ certain: "/pay" });
    gate.open();
    expect(await post("/pay", "token=1")).toBe(200);
    expect(await post("/pay", "token=1&bank=yes")).toBe("lost");
    gate.bankAsked();
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(await post("/pay", "token=1&bank=yes")).toBe(200);
    expect(await post("/pay", "token=1&bank=twice")).toBe("lost");
    expect(reached).toEqual(["POST /pay token=1", "POST /pay token=1&bank=yes"]);
  });

  it("leaves nothing after it is closed", async () => {
    const gate = await stand();
    gate.open();
    gate.close();
    expect(await post("/pay", "token=1")).toBe("lost");
    expect(reached).toEqual([]);
  });
});

describe("what does not pay", () => {
  it("goes on as it did before the click, as often as it likes", async () => {
    const key = `POST ${shopUrl}/update  city `;
    const gate = await stand({ seen: [key] });
    gate.open();
    for (const city of ["Paris", "Rome", "Oslo"]) expect(await post("/update", `city=${city}`)).toBe(200);
    // The same address with something else in it is another thing.
    expect(await post("/update", "city=Oslo&pay=1")).toBe(200);
    expect(await post("/update", "city=Rome&pay=1")).toBe("lost");
    expect(reached).toHaveLength(4);
    expect(gate.sent).toHaveLength(1);
  });

  it("tells operations of one address apart", async () => {
    const gate = await stand();
    gate.open();
    const ask = (operationName: string) => post("/graphql", JSON.stringify({ operationName, query: "mutation" }));
    expect(await ask("Validate")).toBe(200);
    expect(await ask("Pay")).toBe(200);
    expect(await ask("Pay")).toBe("lost");
    expect(reached).toHaveLength(2);
  });

  it("is what the card's own frame sends to its own origin", async () => {
    const gate = await stand();
    gate.open();
    await page.evaluate(`document.body.innerHTML = '<iframe src="${processorUrl}/card"></iframe>'`);
    await expect.poll(() => page.frames().length).toBe(2);
    const frame = page.frames()[1];
    await frame?.waitForLoadState();
    for (const number of [1, 2]) {
      expect(
        await frame?.evaluate(`fetch("/tokens", { method: "POST", body: "n=${number}" }).then((it) => it.status)`),
      ).toBe(200);
    }
    expect(reached).toEqual(["POST /tokens n=1", "POST /tokens n=2"]);
    expect(gate.sent).toEqual([]);
  });
});
