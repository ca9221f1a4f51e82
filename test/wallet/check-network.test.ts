import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PartFault } from "../../src/platform/health/parts.ts";
import { ChainUnavailableError, NetworkDegradedError } from "../../src/wallet/chain.ts";
import { createChains } from "../../src/wallet/chains.ts";
import { checkNetwork, readChainTimeMs } from "../../src/wallet/check-network.ts";
import { createEvmChain } from "../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { createSolanaChain } from "../../src/wallet/solana/chain.ts";
import { startTestEvmChain } from "./evm/test-chain.ts";
import { startTestSolanaChain } from "./solana/test-chain.ts";

const NOWHERE = "http://127.0.0.1:1";

describe("an EVM network", () => {
  let chain: Awaited<ReturnType<typeof startTestEvmChain>>;
  beforeAll(async () => {
    chain = await startTestEvmChain();
  });
  afterAll(() => chain.close());

  it("passes if chain, token decimals and EIP-712 domain are those that Satchel signs for", async () => {
    const served = createEvmChain(NETWORKS["base-sepolia"], chain.rpcUrl);
    await checkNetwork(served);
    expect(await readChainTimeMs(served)).toBeGreaterThan(0);
  });

  it("fails for another chain", async () => {
    const other = createEvmChain(NETWORKS.base, chain.rpcUrl);
    await expect(checkNetwork(other)).rejects.toThrow("the RPC serves chain 84532 instead of 8453");
  });

  it("is unavailable, not wrong, without a response", async () => {
    await expect(checkNetwork(createEvmChain(NETWORKS.base, NOWHERE))).rejects.toThrow(ChainUnavailableError);
  });

  // Contracts that return one number for every call.
  it.each([
    ["another number of decimals", "0x601260005260206000f3", "USDC has 18 decimals instead of 6"],
    ["another EIP-712 domain", "0x600660005260206000f3", "the EIP-712 domain of USDC is not USDC, version 2"],
    ["no contract", "0x", "the chain has no contract at the address of USDC"],
  ])("fails for a token with %s", async (_name, code, fault) => {
    const original = await chain.rpc("eth_getCode", [chain.usdc, "latest"]);
    await chain.rpc("anvil_setCode", [chain.usdc, code]);
    const failure = checkNetwork(createEvmChain(NETWORKS["base-sepolia"], chain.rpcUrl));
    await expect(failure).rejects.toThrow(PartFault);
    await expect(failure).rejects.toThrow(fault);
    await chain.rpc("anvil_setCode", [chain.usdc, original]);
  });
});

describe("a Solana network", () => {
  let chain: Awaited<ReturnType<typeof startTestSolanaChain>>;
  beforeAll(async () => {
    chain = await startTestSolanaChain();
  });
  afterAll(() => chain.close());

  it("passes for its cluster, and fails for another one", async () => {
    await checkNetwork(createSolanaChain(NETWORKS["solana-devnet"], chain.rpcUrl));
    const other = createSolanaChain(NETWORKS.solana, chain.rpcUrl);
    await expect(checkNetwork(other)).rejects.toThrow(/the RPC serves the cluster EtWTR.* instead of 5eykt/);
    await expect(checkNetwork(createSolanaChain(NETWORKS.solana, NOWHERE))).rejects.toThrow(ChainUnavailableError);
  });
});

it("a degraded network is refused until its check passes", () => {
  let isWrong = true;
  const chains = createChains({ rpcUrls: { base: NOWHERE }, isDegraded: () => isWrong });
  expect(() => chains.evm("base")).toThrow(NetworkDegradedError);
  expect(chains.unchecked("base").network).toBe("base");
  isWrong = false;
  expect(chains.evm("base").network).toBe("base");
});
