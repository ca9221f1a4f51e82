import { mkdirSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createAdminApp } from "./admin.ts";
import { startApp } from "./app/server.ts";
import { dexAdmin } from "./dex/admin.ts";
import type { DexFaults } from "./dex/faults.ts";
import { openMarket } from "./dex/market.ts";
import { dexApp } from "./dex/server.ts";
import type { NetworkName, SandboxEndpoints, SandboxNetwork } from "./endpoints.ts";
import { type EvmChain, startEvmChain } from "./evm/chain.ts";
import { createFacilitator } from "./facilitator/schemes.ts";
import { facilitatorApp } from "./facilitator/server.ts";
import { openSettlements } from "./facilitator/settlements.ts";
import { type LlmDeps, llmApp } from "./llm/server.ts";
import { startMail } from "./mail/start.ts";
import { mcpApp } from "./mcp/server.ts";
import { NETWORK_NAMES, NETWORKS } from "./networks.ts";
import { createPorts, type Ports } from "./ports.ts";
import { elsewhereApp } from "./seller/elsewhere.ts";
import { createObserved, type Observed } from "./seller/observed.ts";
import { createSellerProtocol } from "./seller/protocol.ts";
import { sellerApp } from "./seller/server.ts";
import { type SolanaChain, startSolanaChain } from "./solana/chain.ts";
import { startStores } from "./store/start.ts";

export interface SandboxOptions {
  /** Folder for the chains' state, created if missing. Only one sandbox at a time may use it. */
  dataDir: string;
  /** Default: loopback. */
  host?: string;
  /** Default: all. */
  networks?: NetworkName[];
  onProgress?(message: string): void;
}

export interface Sandbox {
  endpoints: SandboxEndpoints;
  /** Writes the state and stops all servers and child processes. */
  stop(): Promise<void>;
}

/**
 * Starts chains, facilitator, sellers and stores in this process, and anvil as child processes. If one part fails, the others
 * are stopped.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, host = "127.0.0.1", networks = NETWORK_NAMES, onProgress = () => {} } = options;
  mkdirSync(dataDir, { recursive: true });
  const ports = createPorts(dataDir, host);
  await requireUnusedFolder(dataDir, ports);
  const stops: (() => Promise<void>)[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      // Sellers stop before chains: a settlement in flight needs its chain.
      for (const close of stops.reverse()) await close();
    })();
    return stopped;
  };

  async function serve(name: string, app: RequestListener): Promise<string> {
    const server = createServer(app);
    const url = await ports.listen(name, server);
    stops.push(() => closeServer(server));
    return url;
  }

  async function startDex(chain: EvmChain | undefined, { onReset }: Observed) {
    if (!chain) return null;
    const market = await openMarket(chain);
    const faults: DexFaults = { current: null, requests: 0 };
    onReset(() => {
      faults.current = null;
    });
    return { url: await serve("dex", dexApp(market, faults)), admin: dexAdmin(market, faults) };
  }

  async function startLlm(deps: Omit<LlmDeps, "url">): Promise<string | null> {
    if (!networks.includes("base-sepolia")) return null;
    let url = "";
    url = await serve("llm", llmApp({ ...deps, url: () => url }));
    return url;
  }

  async function startChain(name: NetworkName): Promise<EvmChain | SolanaChain> {
    const network = NETWORKS[name];
    onProgress(`Starting ${name}`);
    const started =
      network.kind === "evm"
        ? await startEvmChain({ dataDir, host, ports }, network)
        : await startSolanaChain({ dataDir, ports }, network);
    stops.push(() => started.stop());
    return started;
  }

  try {
    const starts = await Promise.allSettled(networks.map(startChain));
    const failure = starts.find((start) => start.status === "rejected");
    if (failure) throw failure.reason;
    const chains = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
    const evmChains = chains.filter((chain): chain is EvmChain => chain.network.kind === "evm");
    const solanaChains = chains.filter((chain): chain is SolanaChain => chain.network.kind === "solana");

    onProgress("Starting the facilitator, exchange, sellers, stores and mail server");
    const settlements = openSettlements(dataDir);
    const observed = createObserved();
    const facilitator = createFacilitator(evmChains, solanaChains);
    const facilitatorUrl = await serve("facilitator", facilitatorApp(facilitator, settlements));
    const elsewhereUrl = await serve("elsewhere", elsewhereApp(observed));
    let shopUrl = "";
    const seller = await sellerApp({
      protocol: createSellerProtocol(facilitatorUrl),
      observed,
      onReset: observed.onReset,
      facilitatorUrl,
      networks,
      sellerUrl: () => shopUrl,
      elsewhereUrl: () => elsewhereUrl,
    });
    shopUrl = await serve("shop", seller);
    const mcpUrl = networks.includes("base-sepolia")
      ? await serve("mcp", mcpApp({ facilitatorUrl, observed, elsewhereUrl: () => elsewhereUrl }))
      : null;
    const dex = await startDex(
      evmChains.find((chain) => chain.network.name === "base"),
      observed,
    );
    const llmUrl = await startLlm({ sellerProtocol: createSellerProtocol(facilitatorUrl), facilitatorUrl, observed });
    const stores = await startStores(dataDir, serve);
    const app = await startApp(dataDir, ports, host);
    stops.push(() => closeServer(app.server));
    const mail = await startMail({ dataDir, ports, serve, onStop: (stopMail) => void stops.push(stopMail) });
    const routers = { dex: dex?.admin ?? null, stores: stores.admin, mail: mail.admin };
    const admin = createAdminApp(dataDir, evmChains, solanaChains, settlements, observed, routers);
    const adminUrl = await serve("admin", admin);

    const endpoints: SandboxEndpoints = {
      networks: Object.fromEntries(chains.map((chain) => [chain.network.name, toSandboxNetwork(chain)])),
      facilitatorUrl,
      shopUrl,
      uptoSpenders: Object.fromEntries(evmChains.map((chain) => [chain.network.name, chain.facilitator.address])),
      dexUrl: dex?.url ?? null,
      llmUrl,
      mcpUrl: mcpUrl && `${mcpUrl}/mcp`,
      ...stores.endpoints,
      app: { url: app.url, certificate: app.certificate },
      adminUrl,
      ...mail.endpoints,
    };
    return { endpoints, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @throws Error if the last sandbox with this data folder is still running */
async function requireUnusedFolder(dataDir: string, ports: Ports): Promise<void> {
  const formerAdminUrl = ports.previousOrigin("admin");
  if (!formerAdminUrl) return;
  const health = await fetch(`${formerAdminUrl}/health`, { signal: AbortSignal.timeout(1_000) })
    .then((response) => response.json() as Promise<{ dataDir?: string }>)
    .catch(() => undefined);
  if (health?.dataDir === dataDir) throw new Error(`Another sandbox is running on ${dataDir}`);
}

function toSandboxNetwork({ network, rpcUrl }: EvmChain | SolanaChain): SandboxNetwork {
  if (network.kind === "solana") return { rpcUrl, usdc: network.usdc };
  const { chainId, usdc, usdcDomain } = network;
  return { rpcUrl, chainId, usdc, usdcDomain };
}

function closeServer(server: Pick<Server, "closeAllConnections" | "close">): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
