/** Signers of facilitators: only a valid response changes them, and only for networks with `upto`. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createFacilitatorSigners } from "../../src/payments/facilitator-signers.ts";
import { chooseRequirement } from "../../src/payments/x402/choice.ts";
import { parsePaymentRequired } from "../../src/payments/x402/requirements.ts";
import { createEgress, type Egress } from "../../src/platform/egress/egress.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { sharedStack } from "../support/stack.ts";

const [ONE, TWO] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];

let fresh: TestDatabase;
let egress: Egress;
let server: Server;
let url: string;
let respond: { status: number; body: unknown };

beforeAll(async () => {
  fresh = await createTestDatabase();
  egress = createEgress({ allowLoopback: true });
  server = createServer((request, response) => {
    const isSupported = request.url === "/base/supported";
    response.writeHead(isSupported ? respond.status : 404, { "content-type": "application/json" });
    response.end(typeof respond.body === "string" ? respond.body : JSON.stringify(respond.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
});
afterAll(async () => {
  await egress?.close();
  server?.close();
  await fresh?.close();
});
beforeEach(async () => {
  await fresh.db.prisma.facilitatorSigner.deleteMany();
});

function open(urls: string[] = [url]) {
  return createFacilitatorSigners({ db: fresh.db, egress, logger: createLogger("silent"), urls });
}

function declare(signers: Record<string, string[]>, scheme = "upto", network = "base"): void {
  respond = { status: 200, body: { kinds: [{ x402Version: 1, scheme, network }], extensions: [], signers } };
}

it("are those that the facilitator of the sandbox declares, and make its upto offers usable", async () => {
  const { sandbox } = await sharedStack();
  if (!sandbox) throw new Error("The shared stack has a sandbox.");
  const signers = open([sandbox.facilitatorUrl]);
  await signers.refresh();
  const address = sandbox.uptoSpenders["base-sepolia"] as string;
  expect(signers.current()).toEqual([{ network: "base-sepolia", address }]);
  const response = await fetch(`${sandbox.shopUrl}/v1/upto/base-sepolia`);
  const required = parsePaymentRequired({ headers: {}, body: await response.text(), field: "target" });
  const choose = (facilitatorSigners: ReturnType<typeof signers.current>) =>
    chooseRequirement(required, { networks: ["base-sepolia", "base"], facilitatorSigners });
  expect(choose(signers.current()).chosen).toMatchObject({ method: "permit", facilitator: address });
  expect(() => choose([])).toThrow("not a trusted facilitator signer");
  expect(() => choose([{ network: "base", address }])).toThrow("not a trusted facilitator signer");
});

it.each([
  ["of the network's namespace", { "eip155:*": [ONE] }, "base", [ONE]],
  ["of the network", { "eip155:8453": [ONE], "eip155:84532": [TWO] }, "base", [ONE]],
  ["of a network with a CAIP-2 name", { "eip155:*": [TWO, TWO] }, "eip155:8453", [TWO]],
  ["of another namespace", { "solana:*": [ONE] }, "base", []],
  ["that are no addresses", { "eip155:*": ["0x12", `0x${"0".repeat(40)}`] }, "base", []],
])("are matched %s", async (_which, declared, network, expected) => {
  declare(declared as Record<string, string[]>, "upto", network);
  const signers = open();
  await signers.refresh();
  expect(signers.current()).toEqual(expected.map((address) => ({ network: "base", address })));
});

it("are none of a facilitator without upto", async () => {
  declare({ "eip155:*": [ONE] }, "exact");
  const signers = open();
  await signers.refresh();
  expect(signers.current()).toEqual([]);
});

it("remain after a failure, also in a process that starts later, and change with the next valid response", async () => {
  declare({ "eip155:*": [ONE] });
  await open().refresh();
  const [known, changed] = [[{ network: "base", address: ONE }], [{ network: "base", address: TWO }]];
  for (const failure of [
    { status: 503, body: { kinds: [{ scheme: "upto", network: "base" }], signers: { "eip155:*": [TWO] } } },
    { status: 200, body: "<html>" },
    { status: 200, body: { kinds: [{ scheme: "upto", network: "base" }], signers: { "eip155:*": TWO } } },
    {
      status: 200,
      body: { kinds: [{ scheme: "upto", network: "base" }], signers: { "eip155:*": Array(101).fill(TWO) } },
    },
  ]) {
    respond = failure;
    const later = open();
    await later.load();
    await later.refresh();
    expect(later.current()).toEqual(known);
  }
  declare({ "eip155:*": [TWO] });
  const signers = open();
  await signers.refresh();
  expect(signers.current()).toEqual(changed);
});

it("of a facilitator that is no longer configured are not used", async () => {
  declare({ "eip155:*": [ONE] });
  await open().refresh();
  const other = open([`${url}/other`]);
  await other.load();
  expect(other.current()).toEqual([]);
});
