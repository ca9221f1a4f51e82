import { join } from "node:path";
import {
  createPublicClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  maxUint256,
  type PublicClient,
  parseAbi,
  toHex,
} from "viem";
import type { Funds } from "../funds.ts";
import { facilitatorEvm, issuerEvm } from "../identities.ts";
import type { EvmNetwork } from "../networks.ts";
import type { Ports } from "../ports.ts";
import { installContracts, PERMIT2_ADDRESS, USDC_FUNCTIONS } from "./contracts.ts";
import { installIdentityRegistry } from "./identity-registry.ts";
import { waitForPreviousProcess } from "./previous-process.ts";
import { startAnvil } from "./process.ts";
import { createSender, type Sender } from "./sender.ts";
import { recoverState, startSnapshots } from "./snapshot.ts";

/** A running EVM chain of the sandbox. */
export interface EvmChain {
  network: EvmNetwork;
  rpcUrl: string;
  client: PublicClient;
  /** Sends transactions with the facilitator's key. */
  facilitator: Sender;
  /** Sends transactions with the key that can mint USDC. */
  issuer: Sender;
  /** Mints USDC, raises the native balance (wei) to at least the given amount, or both. Resolves once mined. */
  fund(address: Hex, funds: Funds): Promise<void>;
  /** Approves Permit2 for the owner's USDC by impersonating the owner. */
  approvePermit2(owner: Hex): Promise<void>;
  /** Waits for a transaction to be mined and returns its receipt. @throws {Error} after `timeoutMs`. */
  waitForReceipt(hash: Hex, timeoutMs?: number): Promise<Receipt>;
  stop(): Promise<void>;
}

type Receipt = Awaited<ReturnType<PublicClient["getTransactionReceipt"]>>;

const usdcAbi = parseAbi(USDC_FUNCTIONS);
const GAS_MONEY_WEI = 10n ** 22n;

/** Starts the chain with its state from `dataDir`, installs the contracts and funds the sandbox's keys for gas. */
export async function startEvmChain(
  options: { dataDir: string; host: string; ports: Ports },
  network: EvmNetwork,
): Promise<EvmChain> {
  const stateFile = join(options.dataDir, `${network.name}.json`);
  await waitForPreviousProcess(stateFile);
  recoverState(stateFile);
  const port = await options.ports.reserve(network.name);
  await using startedResources = new AsyncDisposableStack();
  const anvil = startAnvil({ chainId: network.chainId, host: options.host, port, stateFile });
  startedResources.defer(() => anvil.stop());
  const chain = defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
    contracts: { multicall3: { address: "0xcA11bde05977b3631167028862bE2a173976CA11" } },
  });
  const client: PublicClient = createPublicClient({ chain, transport: http(anvil.rpcUrl, { retryCount: 0 }) });
  await waitUntilReady(client);

  const setBalance = (address: Hex, wei: bigint) =>
    client.request({ method: "anvil_setBalance", params: [address, toHex(wei)] } as never);
  await Promise.all([
    installContracts(client, network),
    installIdentityRegistry(client, network),
    setBalance(facilitatorEvm.address, GAS_MONEY_WEI),
    setBalance(issuerEvm.address, GAS_MONEY_WEI),
  ]);
  const readUsdcBalance = (owner: Hex) =>
    client.readContract({ address: network.usdc, abi: usdcAbi, functionName: "balanceOf", args: [owner] });
  const snapshots = startSnapshots(client, stateFile);
  const stopHeartbeat = startHeartbeat(client);
  const issuer = createSender(client, chain, anvil.rpcUrl, issuerEvm);
  await snapshots.write();

  async function waitForReceipt(hash: Hex, timeoutMs = 30_000): Promise<Receipt> {
    for (const deadline = Date.now() + timeoutMs; ; ) {
      const mined = await client.getTransactionReceipt({ hash }).catch(() => undefined);
      if (mined) return mined;
      if (Date.now() > deadline) throw new Error(`Transaction ${hash} was not mined within ${timeoutMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  // From here on `stop` releases the resources.
  startedResources.move();
  return {
    network,
    rpcUrl: anvil.rpcUrl,
    client,
    facilitator: createSender(client, chain, anvil.rpcUrl, facilitatorEvm),
    issuer,
    waitForReceipt,
    async fund(address, { usdcAtomic = 0n, nativeAtomic, topUp }) {
      if (nativeAtomic && (await client.getBalance({ address })) < nativeAtomic)
        await setBalance(address, nativeAtomic);
      const currentAtomic = topUp ? await readUsdcBalance(address) : 0n;
      if (usdcAtomic <= currentAtomic) return;
      const args = [address, usdcAtomic - currentAtomic] as const;
      const data = encodeFunctionData({ abi: usdcAbi, functionName: "mint", args });
      await waitForReceipt(await issuer.send({ to: network.usdc, data }));
    },
    async approvePermit2(owner) {
      const data = encodeFunctionData({ abi: usdcAbi, functionName: "approve", args: [PERMIT2_ADDRESS, maxUint256] });
      await client.request({ method: "anvil_impersonateAccount", params: [owner] } as never);
      // The gas price is zero, because the owner may have no native balance.
      const transaction = { from: owner, to: network.usdc, data, gasPrice: "0x0" };
      await client.request({ method: "anvil_setNextBlockBaseFeePerGas", params: ["0x0"] } as never);
      const hash = await client.request({ method: "eth_sendTransaction", params: [transaction] } as never);
      await client.request({ method: "anvil_stopImpersonatingAccount", params: [owner] } as never);
      await waitForReceipt(hash as Hex);
    },
    async stop() {
      stopHeartbeat();
      snapshots.stop();
      await snapshots.write();
      await anvil.stop();
    },
  };
}

/** Waits until anvil responds. @throws {Error} after 10 seconds. */
async function waitUntilReady(client: PublicClient): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; ) {
    try {
      await client.getChainId();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error("anvil did not respond within 10 s.", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
}

/**
 * Mines a block every 2 s, like the real networks, until three minutes after the last transaction. Otherwise it mines one every
 * 20 s to limit the size of the state. Contracts see the time of the latest block, so blocks are needed without transactions too.
 * Returns a function that stops the heartbeat.
 */
function startHeartbeat(client: PublicClient): () => void {
  let activeUntilMs = Date.now() + 180_000;
  let lastHeartbeatBlock = -1n;
  let tick = 0;
  async function mineIfDue(): Promise<void> {
    const number = await client.getBlockNumber({ cacheTime: 0 });
    if (number !== lastHeartbeatBlock) activeUntilMs = Date.now() + 180_000;
    tick += 1;
    if (Date.now() > activeUntilMs && tick % 10 !== 0) return;
    await client.request({ method: "evm_mine" } as never);
    // A transaction between the two calls changes the block number and counts as activity at the next tick.
    lastHeartbeatBlock = number + 1n;
  }
  const timer = setInterval(() => void mineIfDue().catch(() => {}), 2_000);
  timer.unref();
  return () => clearInterval(timer);
}
