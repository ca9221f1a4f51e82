/** Behaviour and output of the commands, against the complete service and a sandbox seller that charges. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { type Cli, openBrowserUser, openCli } from "./cli-harness.ts";

let stack: OwnStack;
let account: TestAccount;
let seller: string;
let cli: Cli;

beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia"], env: { DEFAULT_NETWORK: "base-sepolia" } });
  seller = stack.sandbox?.shopUrl ?? "";
  account = await stack.account();
  await stack.fund(account, "5000000");
  cli = openCli({ SATCHEL_URL: stack.baseUrl });
  const login = cli.start(["login", "--no-browser"]);
  const user = await openBrowserUser(stack, account.accountId);
  await user.decide(await login.waitForOutput(/http:\/\/[^\s"]+\/oauth\/authorize\?[^\s"]+/), true);
  expect(await login.finished).toMatchObject({ code: 0 });
});
afterAll(() => stack.stop());

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await cli.run([...args, "--json"]);
  return { code, result: stdout === "" ? null : JSON.parse(stdout), error: stderr === "" ? null : JSON.parse(stderr) };
};

describe("balance", () => {
  it("shows each amount with its currency, in columns", async () => {
    const { code, stdout, stderr } = await cli.run(["balance"]);
    expect([code, stderr]).toEqual([0, ""]);
    const rows = stdout.trimEnd().split("\n");
    expect(rows[0]).toBe("USDC          5.000000 USDC");
    expect(rows.map((row) => row.slice(0, 13).trimEnd())).toEqual([
      "USDC",
      "Free credit",
      "Native token",
      "Network",
      "Address",
      "Card order",
      "Card day",
      "Card month",
    ]);
    expect(rows.at(-2)).toMatch(/^Card day {6}0\.00 USD of \d+\.\d\d USD$/);
    expect(stdout).toMatch(/^Address {7}0x[0-9a-fA-F]{40}$/m);
    expect((await json("balance")).result).toMatchObject({
      usdcBalance: "5.000000",
      hasWallet: true,
      network: "base-sepolia",
    });
  });

  it("prints the service's error for an unsupported network", async () => {
    expect(await json("balance", "--network", "solana")).toMatchObject({
      code: 1,
      result: null,
      error: { error: "unsupported_network" },
    });
    const { code, stderr } = await cli.run(["balance", "--network", "nowhere"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error {2}.*network/);
  });
});

describe("fetch", () => {
  it("pays, writes the body unchanged and prints the cost", async () => {
    const { code, stdout, stderr } = await cli.run(["fetch", `${seller}/v1/weather`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ place: "Porto" });
    expect(stderr).toMatch(/Paid 0\.01 USD, payment tx_\w+\./);
  });

  it("reports that a free resource cost nothing", async () => {
    const { code, stdout, stderr } = await cli.run(["fetch", `${seller}/free`]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ price: "free" });
    expect(stderr).toContain("Nothing was paid.");
  });

  it("prints status, body and payment with --json", async () => {
    const { code, result } = await json("fetch", `${seller}/v1/weather`);
    expect(code).toBe(0);
    expect(result).toMatchObject({
      status: 200,
      body: { place: "Porto" },
      payment: { id: expect.stringMatching(/^tx_/), amountPaidUsd: "0.01" },
    });
  });

  it("pays no more than --max-value", async () => {
    const before = (await json("balance")).result.creditUsd;
    expect(await json("fetch", `${seller}/v1/weather`, "--max-value", "9999")).toMatchObject({
      code: 1,
      error: { error: "max_value_exceeded" },
    });
    expect((await json("balance")).result.creditUsd).toBe(before);
  });

  it("pays once for one idempotency key", async () => {
    const [first, second] = [
      await json("fetch", `${seller}/v1/weather`, "--idempotency-key", "cli-1"),
      await json("fetch", `${seller}/v1/weather`, "--idempotency-key", "cli-1"),
    ];
    expect(first.result.payment.id).toMatch(/^tx_/);
    expect(second.result.payment.id).toBe(first.result.payment.id);
    const rows = (await json("transactions", "--limit", "100")).result.transactions as { id: string }[];
    expect(rows.filter(({ id }) => id === first.result.payment.id)).toHaveLength(1);
  });

  it("sends a body, from an argument or standard input", async () => {
    const argument = await json("fetch", `${seller}/v1/echo`, "--data", '{"a":[1,"two"]}');
    expect(argument.result).toMatchObject({ status: 200, payment: { amountPaidUsd: "0.01" } });
    expect(JSON.stringify(argument.result.body)).toContain('{"a":[1,"two"]}');
    const piped = await cli.run(["fetch", `${seller}/v1/echo`, "--data", "-"], { input: '{"from":"a pipe"}' });
    expect(piped.code).toBe(0);
    expect(piped.stdout).toContain('"from":"a pipe"');
  });

  it("prints the target's error response and fails", async () => {
    const missing = await cli.run(["fetch", `${seller}/nothing`, "--method", "delete"]);
    expect(missing).toMatchObject({ code: 1, stdout: '{"error":"Resource not found"}' });
    expect(missing.stderr).toContain("The target responded with 404.");
    const asJson = await json("fetch", `${seller}/nothing`);
    expect(asJson).toMatchObject({
      code: 1,
      result: { status: 404, payment: null },
      error: { error: "target_failed" },
    });
  });

  it("rejects invalid arguments before any request", async () => {
    for (const args of [
      ["fetch", "not an address"],
      ["fetch", "ftp://a.example"],
      ["fetch", seller, "--data", "{"],
      ["fetch", seller, "--max-value", "-1"],
      ["fetch", seller, "--max-value", "0.5"],
      ["fetch", seller, "--timeout", "0"],
      ["fetch", seller, "--nonsense"],
      ["fetch", seller, seller],
    ]) {
      expect(await cli.run(args), args.join(" ")).toMatchObject({ code: 2, stdout: "" });
    }
  });
});

describe("sign", () => {
  it("requests the payment requirements and prints a header that pays them", async () => {
    const { code, stdout, stderr } = await cli.run(["sign", `${seller}/v1/weather`]);
    expect(code).toBe(0);
    const [name = "", value = ""] = stdout.trimEnd().split(": ");
    expect(stderr).toMatch(/Amount +0\.01 USD\nPaid from +free credit\nNetwork +base-sepolia\nPayment +tx_/);
    const response = await fetch(`${seller}/v1/weather`, { headers: { [name]: value } });
    expect(response.status).toBe(200);
  });

  it("accepts payment requirements from standard input", async () => {
    const unpaid = await fetch(`${seller}/v1/weather`);
    const input = await unpaid.text();
    const { code, stdout } = await cli.run(["sign", `${seller}/v1/weather`, "--requirements", "-", "--json"], {
      input,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, network: "base-sepolia", amountPaid: 0.01 });
    expect(await cli.run(["sign", `${seller}/v1/weather`, "--requirements", "[]x"])).toMatchObject({ code: 2 });
  });

  it("signs nothing above --max-value", async () => {
    expect(await cli.run(["sign", `${seller}/v1/weather`, "--max-value", "9999"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("more than maxValue 9999"),
    });
    expect(await cli.run(["sign", `${seller}/v1/weather`, "--max-value", "10000"])).toMatchObject({ code: 0 });
    expect(await cli.run(["sign", `${seller}/v1/weather`, "--max-value", "1.5"])).toMatchObject({ code: 2 });
  });

  it("signs nothing if no payment is required or the resource is unreachable", async () => {
    expect(await cli.run(["sign", `${seller}/free`])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("no payment is required"),
    });
    expect(await cli.run(["sign", "http://127.0.0.1:9/"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Cannot connect to http://127.0.0.1:9"),
    });
  });
});

describe("transactions", () => {
  it("lists ledger entries in columns, page by page", async () => {
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
    expect(two.result.transactions[0].id).not.toBe(one.result.transactions[0].id);
    expect((await json("transactions", "--type", "credit")).result.transactions).toHaveLength(1);
    expect(await cli.run(["transactions", "--type", "trade"])).toMatchObject({
      code: 0,
      stdout: "No transactions.\n",
    });
    expect(await cli.run(["transactions", "--limit", "0"])).toMatchObject({ code: 2 });
  });
});

describe("help", () => {
  it("exists for the program and each command", async () => {
    const { stdout } = await cli.run(["--help"]);
    expect(stdout.split("\n").every((line) => line.length <= 120)).toBe(true);
    const commands = ["login", "logout", "whoami", "balance", "transactions", "fetch", "sign", "freeze", "unfreeze"];
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
      stderr: expect.stringContaining("Unknown command nonsense"),
    });
    expect(await cli.run(["--json"])).toMatchObject({ code: 2 });
  });

  it("uses colour only on a terminal", async () => {
    const plain = await cli.run(["transactions"]);
    expect(plain.stdout + plain.stderr).not.toContain("\x1b");
  });
});
