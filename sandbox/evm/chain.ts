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
import { waitForFormerProcess } from "./former.ts";
import { startAnvil } from "./process.ts";
import { createSender, type Sender } from "./sender.ts";
import { keepSnapshots, recoverState } from "./snapshot.ts";

/** A running EVM chain of the sandbox. */
export interface EvmChain {
  network: EvmNetwork;
  rpcUrl: string;
  client: PublicClient;
  /** Sends with the facilitator's key. */
  facilitator: Sender;
  /** Sends with the key that may mint. */
  issuer: Sender;
  /** Mints USDC and/or raises the native balance (wei); resolves when the chain shows it. */
  fund(address: Hex, funds: Funds): Promise<void>;
  /** Lets Permit2 move the owner's USDC, as if the owner had sent the approval. */
  approvePermit2(owner: Hex): Promise<void>;
  /** Waits for a transaction to be mined. @throws Error after `timeoutMs` */
  receipt(hash: Hex, timeoutMs?: number): Promise<Receipt>;
  stop(): Promise<void>;
}

type Receipt = Awaited<ReturnType<PublicClient["getTransactionReceipt"]>>;

const usdcAbi = parseAbi(USDC_FUNCTIONS);
const GAS_MONEY_WEI = 10n ** 22n;

/** Starts the chain with its state from `dataDir`, places the contracts and gives its own keys gas money. */
export async function startEvmChain(
  options: { dataDir: string; host: string; ports: Ports },
  network: EvmNetwork,
): Promise<EvmChain> {
  const stateFile = join(options.dataDir, `${network.name}.json`);
  await waitForFormerProcess(stateFile);
  recoverState(stateFile);
  const port = await options.ports.reserve(network.name);
  await using opened = new AsyncDisposableStack();
  const anvil = startAnvil({ chainId: network.chainId, host: options.host, port, stateFile });
  opened.defer(() => anvil.stop());
  const chain = defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
    contracts: { multicall3: { address: "0xcA11bde05977b3631167028862bE2a173976CA11" } },
  });
  const client: PublicClient = createPublicClient({ chain, transport: http(anvil.rpcUrl, { retryCount: 0 }) });
  await answering(client);

  const setBalance = (address: Hex, wei: bigint) =>
    client.request({ method: "anvil_setBalance", params: [address, toHex(wei)] } as never);
  await Promise.all([
    installContracts(client, network),
    setBalance(facilitatorEvm.address, GAS_MONEY_WEI),
    setBalance(issuerEvm.address, GAS_MONEY_WEI),
  ]);
  const usdcOf = (owner: Hex) =>
    client.readContract({ address: network.usdc, abi: usdcAbi, functionName: "balanceOf", args: [owner] });
  const snapshots = keepSnapshots(client, stateFile);
  const stopHeartbeat = startHeartbeat(client);
  const issuer = createSender(client, chain, anvil.rpcUrl, issuerEvm);
  await snapshots.write();

  async function receipt(hash: Hex, timeoutMs = 30_000): Promise<Receipt> {
    for (const deadline = Date.now() + timeoutMs; ; ) {
      const found = await client.getTransactionReceipt({ hash }).catch(() => undefined);
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`Transaction ${hash} was not mined in ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  // From here on it is for `stop` to end it.
  opened.move();
  return {
    network,
    rpcUrl: anvil.rpcUrl,
    client,
    facilitator: createSender(client, chain, anvil.rpcUrl, facilitatorEvm),
    issuer,
    receipt,
    async fund(address, { usdcAtomic = 0n, nativeAtomic, topUp }) {
      if (nativeAtomic && (await client.getBalance({ address })) < nativeAtomic)
        await setBalance(address, nativeAtomic);
      const heldAtomic = topUp ? await usdcOf(address) : 0n;
      if (usdcAtomic <= heldAtomic) return;
      const args = [address, usdcAtomic - heldAtomic] as const;
      const data = encodeFunctionData({ abi: usdcAbi, functionName: "mint", args });
      await receipt(await issuer.send({ to: network.usdc, data }));
    },
    async approvePermit2(owner) {
      const data = encodeFunctionData({ abi: usdcAbi, functionName: "approve", args: [PERMIT2_ADDRESS, maxUint256] });
      await client.request({ method: "anvil_impersonateAccount", params: [owner] } as never);
      // No gas price: the owner of tokens alone could not pay for it.
      const transaction = { from: owner, to: network.usdc, data, gasPrice: "0x0" };
      await client.request({ method: "anvil_setNextBlockBaseFeePerGas", params: ["0x0"] } as never);
      const hash = await client.request({ method: "eth_sendTransaction", params: [transaction] } as never);
      await client.request({ method: "anvil_stopImpersonatingAccount", params: [owner] } as never);
      await receipt(hash as Hex);
    },
    async stop() {
      stopHeartbeat();
      snapshots.stop();
      await snapshots.write();
      await anvil.stop();
    },
  };
}

async function answering(client: PublicClient): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; ) {
    try {
      await client.getChainId();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw new Error("anvil did not answer within 10 s", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
}

/**
 * Blocks carry the time that contracts see, so the chain must move even when nobody pays: every 2 s, as the real
 * networks do, while there was a transaction in the last three minutes; every 20 s otherwise, to stay small.
 */
function startHeartbeat(client: PublicClient): () => void {
  let busyUntil = Date.now() + 180_000;
  let ownBlock = -1n;
  let tick = 0;
  async function beat(): Promise<void> {
    const number = await client.getBlockNumber({ cacheTime: 0 });
    if (number !== ownBlock) busyUntil = Date.now() + 180_000;
    tick += 1;
    if (Date.now() > busyUntil && tick % 10 !== 0) return;
    await client.request({ method: "evm_mine" } as never);
    // A transaction that slips in between is seen as activity by the next beat.
    ownBlock = number + 1n;
  }
  const timer = setInterval(() => void beat().catch(() => {}), 2_000);
  timer.unref();
  return () => clearInterval(timer);
}
