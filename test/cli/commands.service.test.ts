/** What the commands do and print, against the whole service and a shop that really charges. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { type Cli, openCli, openPerson } from "./cli-room.ts";

let stack: OwnStack;
let account: TestAccount;
let shop: string;
let cli: Cli;

beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia"], env: { DEFAULT_NETWORK: "base-sepolia" } });
  shop = stack.sandbox?.shopUrl ?? "";
  account = await stack.account();
  await stack.fund(account, "5000000");
  cli = openCli({ SATCHEL_URL: stack.baseUrl });
  const login = cli.start(["login", "--no-browser"]);
  const person = await openPerson(stack, account.accountId);
  await person.decide(await login.says(/http:\/\/[^\s"]+\/oauth\/authorize\?[^\s"]+/), true);
  expect(await login.finished).toMatchObject({ code: 0 });
});
afterAll(() => stack.stop());

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await cli.run([...args, "--json"]);
  return { code, answer: stdout === "" ? null : JSON.parse(stdout), error: stderr === "" ? null : JSON.parse(stderr) };
};

describe("balance", () => {
  it("shows each amount with its currency, in columns", async () => {
    const { code, stdout, stderr } = await cli.run(["balance"]);
    expect([code, stderr]).toEqual([0, ""]);
    const rows = stdout.trimEnd().split("\n");
    expect(rows[0]).toBe("USDC         5.000000 USDC");
    expect(rows.map((row) => row.slice(0, 13).trimEnd())).toEqual([
      "USDC",
      "Free credit",
      "Coin",
      "Network",
      "Address",
    ]);
    expect(stdout).toMatch(/^Address {6}0x[0-9a-fA-F]{40}$/m);
    expect((await json("balance")).answer).toMatchObject({
      usdcBalance: "5.000000",
      hasWallet: true,
      network: "base-sepolia",
    });
  });

  it("says what the service says of a network it does not have", async () => {
    expect(await json("balance", "--network", "solana")).toMatchObject({
      code: 1,
      answer: null,
      error: { error: "unsupported_network" },
    });
    const { code, stderr } = await cli.run(["balance", "--network", "nowhere"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error {2}.*network/);
  });
});

describe("fetch", () => {
  it("pays, writes the body as it is, and says what it cost", async () => {
    const { code, stdout, stderr } = await cli.run(["fetch", `${shop}/v1/weather`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ place: "Porto" });
    expect(stderr).toMatch(/Paid 0\.01 USD, payment tx_\w+\./);
  });

  it("says so when nothing was asked for", async () => {
    const { code, stdout, stderr } = await cli.run(["fetch", `${shop}/free`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ price: "free" });
    expect(stderr).toContain("Nothing was paid.");
  });

  it("with --json answers status, body and payment", async () => {
    const { code, answer } = await json("fetch", `${shop}/v1/weather`);
    expect(code).toBe(0);
    expect(answer).toMatchObject({
      status: 200,
      body: { place: "Porto" },
      payment: { id: expect.stringMatching(/^tx_/), amountPaidUsd: "0.01" },
    });
  });

  it("pays no more than --max-value", async () => {
    const before = (await json("balance")).answer.creditUsd;
    expect(await json("fetch", `${shop}/v1/weather`, "--max-value", "9999")).toMatchObject({
      code: 1,
      error: { error: "max_value_exceeded" },
    });
    expect((await json("balance")).answer.creditUsd).toBe(before);
  });

  it("pays once for one idempotency key", async () => {
    const [first, second] = [
      await json("fetch", `${shop}/v1/weather`, "--idempotency-key", "cli-1"),
      await json("fetch", `${shop}/v1/weather`, "--idempotency-key", "cli-1"),
    ];
    expect(first.answer.payment.id).toMatch(/^tx_/);
    expect(second.answer.payment.id).toBe(first.answer.payment.id);
    const rows = (await json("transactions", "--limit", "100")).answer.transactions as { id: string }[];
    expect(rows.filter(({ id }) => id === first.answer.payment.id)).toHaveLength(1);
  });

  it("sends a body, from an argument or standard input", async () => {
    const argument = await json("fetch", `${shop}/v1/echo`, "--data", '{"a":[1,"two"]}');
    expect(argument.answer).toMatchObject({ status: 200, payment: { amountPaidUsd: "0.01" } });
    expect(JSON.stringify(argument.answer.body)).toContain('{"a":[1,"two"]}');
    const piped = await cli.run(["fetch", `${shop}/v1/echo`, "--data", "-"], { input: '{"from":"a pipe"}' });
    expect(piped.code).toBe(0);
    expect(piped.stdout).toContain('"from":"a pipe"');
  });

  it("shows what a target refused with, and fails", async () => {
    const missing = await cli.run(["fetch", `${shop}/nothing`, "--method", "delete"]);
    expect(missing).toMatchObject({ code: 1, stdout: '{"error":"Resource not found"}' });
    expect(missing.stderr).toContain("The target answered 404.");
    const asJson = await json("fetch", `${shop}/nothing`);
    expect(asJson).toMatchObject({
      code: 1,
      answer: { status: 404, payment: null },
      error: { error: "target_failed" },
    });
  });

  it("refuses what it does not understand before it calls anyone", async () => {
    for (const args of [
      ["fetch", "not an address"],
      ["fetch", "ftp://a.example"],
      ["fetch", shop, "--data", "{"],
      ["fetch", shop, "--max-value", "-1"],
      ["fetch", shop, "--max-value", "0.5"],
      ["fetch", shop, "--timeout", "0"],
      ["fetch", shop, "--nonsense"],
      ["fetch", shop, shop],
    ]) {
      expect(await cli.run(args), args.join(" ")).toMatchObject({ code: 2, stdout: "" });
    }
  });
});

describe("sign", () => {
  it("asks the resource what it costs, and prints the header that pays it", async () => {
    const { code, stdout, stderr } = await cli.run(["sign", `${shop}/v1/weather`]);
    expect(code).toBe(0);
    const [name = "", value = ""] = stdout.trimEnd().split(": ");
    expect(stderr).toMatch(/Signed for +0\.01 USD\nFrom +free credit\nNetwork +base-sepolia\nPayment +tx_/);
    const response = await fetch(`${shop}/v1/weather`, { headers: { [name]: value } });
    expect(response.status).toBe(200);
  });

  it("takes requirements as they are", async () => {
    const asked = await fetch(`${shop}/v1/weather`);
    const input = await asked.text();
    const { code, stdout } = await cli.run(["sign", `${shop}/v1/weather`, "--requirements", "-", "--json"], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, network: "base-sepolia", amountPaid: 0.01 });
    expect(await cli.run(["sign", `${shop}/v1/weather`, "--requirements", "[]x"])).toMatchObject({ code: 2 });
  });

  it("signs nothing where nothing is to pay", async () => {
    expect(await cli.run(["sign", `${shop}/free`])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("there is nothing to pay"),
    });
    expect(await cli.run(["sign", "http://127.0.0.1:9/"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nothing answers at http://127.0.0.1:9"),
    });
  });
});

describe("transactions", () => {
  it("lists the ledger in columns, a page at a time", async () => {
    const { code, stdout } = await cli.run(["transactions"]);
    expect(code).toBe(0);
    const [head, ...rows] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^Time \(UTC\) +Type +Status +Amount +Network +For$/);
    expect(rows.at(-1)).toMatch(/credit +settled +\+5\.00 +USD/);
    expect(rows[0]).toMatch(/x402 +\w+ +-0\.01 +USDC +base-sepolia +http.*\/v1\/weather$/);
    const first = await cli.run(["transactions", "--limit", "1"]);
    expect(first.stdout.trimEnd().split("\n")).toHaveLength(2);
    const [, cursor = ""] = /--cursor (\S+)/.exec(first.stderr) ?? [];
    const one = await json("transactions", "--limit", "1");
    const two = await json("transactions", "--limit", "1", "--cursor", cursor);
    expect(two.answer.transactions[0].id).not.toBe(one.answer.transactions[0].id);
    expect((await json("transactions", "--type", "credit")).answer.transactions).toHaveLength(1);
    expect(await cli.run(["transactions", "--type", "trade"])).toMatchObject({
      code: 0,
      stdout: "There are no transactions.\n",
    });
    expect(await cli.run(["transactions", "--limit", "0"])).toMatchObject({ code: 2 });
  });
});

describe("help", () => {
  it("is there for everything and for each command", async () => {
    const { stdout } = await cli.run(["--help"]);
    expect(stdout.split("\n").every((line) => line.length <= 120)).toBe(true);
    const commands = ["login", "logout", "whoami", "balance", "transactions", "fetch", "sign"];
    for (const name of commands) {
      expect(stdout).toContain(`\n  ${name}`);
      expect(await cli.run([name, "--help"])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`Usage  satchel ${name}`),
      });
    }
    for (const args of [[], ["help"], ["-h"]]) expect((await cli.run(args)).stdout).toBe(stdout);
    expect((await cli.run(["--version"])).stdout).toBe("2.0.0\n");
    expect(await cli.run(["nonsense"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no command nonsense"),
    });
    expect(await cli.run(["--json"])).toMatchObject({ code: 2 });
  });

  it("colours only a terminal", async () => {
    const plain = await cli.run(["transactions"]);
    expect(plain.stdout + plain.stderr).not.toContain("\x1b");
  });
});
