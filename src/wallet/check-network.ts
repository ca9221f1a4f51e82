/** Compares what an RPC serves with the network that Satchel signs for. */
import { domainSeparator, type Hex, hexToBigInt, parseAbi } from "viem";
import { PartFault } from "../platform/health/parts.ts";
import { ChainUnavailableError, type EvmChain, type SolanaChain } from "./chain.ts";
import { type EvmNetwork, NETWORKS, type SolanaNetwork, USDC_DECIMALS } from "./networks.ts";

const USDC_ABI = parseAbi([
  "function decimals() view returns (uint8)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
]);

/**
 * Checks chain id or genesis hash, and decimals and EIP-712 domain of the token: no recipient can use
 * a signature for another chain or domain.
 *
 * @throws {PartFault} the RPC serves something else
 * @throws {ChainUnavailableError} the RPC does not respond
 */
export async function checkNetwork(chain: EvmChain | SolanaChain): Promise<void> {
  await (chain.kind === "evm" ? checkEvm(chain) : checkSolana(chain));
}

async function checkEvm({ rpc, network: name }: EvmChain): Promise<void> {
  const network = NETWORKS[name] as EvmNetwork;
  const { address, domain } = network.usdc;
  const chainId = await rpc.request((client) => client.getChainId());
  if (chainId !== network.chainId) throw new PartFault(`the RPC serves chain ${chainId} instead of ${network.chainId}`);
  const code = await rpc.request((client) => client.getCode({ address }));
  if (!code) throw new PartFault(`the chain has no contract at the address of USDC, ${address}`);
  const read = <Name extends "decimals" | "DOMAIN_SEPARATOR">(functionName: Name) =>
    rpc.request((client) => client.readContract({ address, abi: USDC_ABI, functionName }));
  const [decimals, separator] = await Promise.all([read("decimals"), read("DOMAIN_SEPARATOR")]);
  if (decimals !== USDC_DECIMALS) throw new PartFault(`USDC has ${decimals} decimals instead of ${USDC_DECIMALS}`);
  const expected = domainSeparator({ domain: { ...domain, chainId: network.chainId, verifyingContract: address } });
  if (hexToBigInt(separator as Hex) !== hexToBigInt(expected)) {
    throw new PartFault(`the EIP-712 domain of USDC is not ${domain.name}, version ${domain.version}`);
  }
}

async function checkSolana(chain: SolanaChain): Promise<void> {
  const network = NETWORKS[chain.network] as SolanaNetwork;
  const genesis = await chain.genesisHash();
  // CAIP-2 names contain the first 32 characters of the hash.
  const expected = network.caip2[0].slice("solana:".length);
  if (!genesis.startsWith(expected))
    throw new PartFault(`the RPC serves the cluster ${genesis} instead of ${expected}`);
  const { decimals } = await chain.mint(network.usdc.address).catch((error: unknown) => {
    const isMissing = error instanceof ChainUnavailableError && error.reason === "MintNotFound";
    throw isMissing ? new PartFault(`the cluster has no mint at the address of USDC, ${network.usdc.address}`) : error;
  });
  if (decimals !== USDC_DECIMALS) throw new PartFault(`USDC has ${decimals} decimals instead of ${USDC_DECIMALS}`);
}

/**
 * Returns the time of the latest block in Unix milliseconds; null if the RPC does not state it. Solana's is an estimate of the
 * validators, which is later than the true time by seconds at most.
 */
export async function readChainTimeMs(chain: EvmChain | SolanaChain): Promise<number | null> {
  if (chain.kind === "solana") {
    const { slot } = await chain.rpc.readFinalized();
    const timeSeconds = await chain.rpc.request((connection) => connection.getBlockTime(slot));
    return timeSeconds === null ? null : timeSeconds * 1_000;
  }
  const { timestamp } = await chain.rpc.request((client) => client.getBlock());
  return Number(timestamp) * 1_000;
}
