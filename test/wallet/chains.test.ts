import { expect, it } from "vitest";
import { createChains } from "../../src/wallet/chains.ts";
import { UnsupportedNetworkError } from "../../src/wallet/served-network.ts";

it("creates a chain of the right kind only for networks with an RPC URL", () => {
  const chains = createChains({ rpcUrls: { base: "http://127.0.0.1:1", solana: "http://127.0.0.1:1" } });
  expect(chains.networks).toEqual(["base", "solana"]);
  expect(chains.evm("base")).toBe(chains.any("base"));
  expect(chains.solana("solana")).toMatchObject({ kind: "solana", network: "solana" });
  expect(() => chains.any("avalanche")).toThrow(UnsupportedNetworkError);
  expect(() => chains.evm("solana")).toThrow(UnsupportedNetworkError);
  expect(() => chains.solana("base")).toThrow(UnsupportedNetworkError);
});
