/** The job of the chain audit: metrics, log, email, and what administrators read. */
import { encodeFunctionData, erc20Abi } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SandboxNetwork } from "../../../sandbox/endpoints.ts";
import { ADMIN_EMAIL, ADMIN_TOKEN, type OwnStack, startStack } from "../../support/stack.ts";
import { callRpc, didSucceed } from "../../support/usdc.ts";

const AUDIT = `{ chainAudit { network auditedBlock latestBlock openDifferenceCount }
  chainDifferences(isOpen: true) { edges { node { id kind walletId chainAtomic ledgerAtomic txHash resolvedAt } } } }`;

const log: string[] = [];
let stack: OwnStack;
let chain: SandboxNetwork;

beforeAll(async () => {
  stack = await startStack({
    networks: ["base-sepolia"],
    env: { CHAIN_AUDIT: "1", CHAIN_AUDIT_INTERVAL_MS: "1000", ADMIN_EMAILS: ADMIN_EMAIL },
    onLog: (line) => void log.push(line),
  });
  chain = stack.sandbox?.networks["base-sepolia"] as SandboxNetwork;
});
afterAll(() => stack?.stop());

/** Transfers USDC out of the account's wallet without the service. */
async function transferOutside(accountId: string, atomic: bigint): Promise<string> {
  const { evmAddress } = await stack.service.deps.wallets.ofAccount(accountId);
  await callRpc(chain.rpcUrl, "anvil_impersonateAccount", [evmAddress]);
  const args = ["0x00000000000000000000000000000000000000aa", atomic] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
  const txHash = await callRpc<string>(chain.rpcUrl, "eth_sendTransaction", [
    { from: evmAddress, to: chain.usdc, data },
  ]);
  expect(await didSucceed(chain, txHash)).toBe(true);
  return txHash;
}

const readMetrics = async () => await (await fetch(`${stack.baseUrl}/metrics`)).text();

it("reports a transfer outside the ledger to administrators, and nothing before", async () => {
  const account = await stack.account();
  await stack.fund(account, "1000000");
  const paid = await stack.rest(
    account.token,
    "POST",
    `/api/x402/fetch?url=${encodeURIComponent(`${stack.sandbox?.shopUrl}/v1/price/10000`)}`,
  );
  expect(paid.status, paid.text).toBe(200);
  const readAudit = async () => (await stack.graphql(ADMIN_TOKEN, AUDIT)).json;
  const assigned = () => stack.service.deps.db.prisma.chainTransfer.count({ where: { transactionId: { not: null } } });
  await expect.poll(assigned, { timeout: 30_000 }).toBe(1);
  expect((await readAudit()).data).toMatchObject({
    chainAudit: [{ network: "base-sepolia", auditedBlock: expect.any(Number), openDifferenceCount: 0 }],
    chainDifferences: { edges: [] },
  });
  expect(await readMetrics()).toMatch(/^satchel_chain_differences\{network="base-sepolia"\} 0$/m);

  const txHash = await transferOutside(account.accountId, 7n);
  await expect
    .poll(async () => (await readAudit()).data.chainDifferences.edges, { timeout: 30_000 })
    .toMatchObject([
      { node: { kind: "UNRECORDED_TRANSFER", chainAtomic: "7", ledgerAtomic: "0", txHash, resolvedAt: null } },
    ]);
  const metrics = await readMetrics();
  expect(metrics).toMatch(/^satchel_chain_differences\{network="base-sepolia"\} 1$/m);
  expect(metrics).toMatch(/^satchel_chain_audit_lag_blocks\{network="base-sepolia"\} \d+$/m);
  expect(metrics).toMatch(/^satchel_chain_transfers_read_total\{network="base-sepolia"\} \d+$/m);
  await expect.poll(() => log.filter((line) => line.includes("Chain and ledger differ"))).toHaveLength(1);
  expect(JSON.parse(log.find((line) => line.includes("Chain and ledger differ")) ?? "{}")).toMatchObject({
    ...{ level: "error", kind: "unrecorded_transfer", txHash, chainAtomic: "7", ledgerAtomic: "0" },
  });
  const inboxUrl = `${stack.sandbox?.mailUrl}/messages?to=${encodeURIComponent(ADMIN_EMAIL)}`;
  const readEmails = async () => ((await (await fetch(inboxUrl)).json()) as { messages: object[] }).messages;
  await expect
    .poll(readEmails, { timeout: 30_000 })
    .toMatchObject([{ subject: "Satchel: the chain and the ledger differ" }]);
}, 120_000);

it("is hidden from accounts that are no administrators", async () => {
  const { token } = await stack.account();
  for (const field of ["chainAudit { network }", "chainDifferences { edges { node { id } } }"]) {
    const { json } = await stack.graphql(token, `{ ${field} }`);
    expect(json.errors).toMatchObject([{ extensions: { code: "forbidden" } }]);
  }
});
