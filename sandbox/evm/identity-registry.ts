/**
 * The reference contracts of ERC-8004's identity registry, deployed as on the real networks (erc-8004-contracts, `scripts/`). The owner
 * of a proxy for a placeholder upgrades it to the registry. CREATE2 derives each address from the deployer, a salt and the bytecode. So
 * the proxy has its well-known address only with exactly the bytecode of the real networks.
 */
import {
  type Abi,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  isAddressEqual,
  numberToHex,
  type PublicClient,
  parseAbi,
  slice,
  zeroAddress,
} from "viem";
import proxy from "../contracts/erc-8004/ERC1967Proxy.json" with { type: "json" };
import registry from "../contracts/erc-8004/IdentityRegistryUpgradeable.json" with { type: "json" };
import testPlaceholder from "../contracts/erc-8004/MinimalUUPS.json" with { type: "json" };
import mainPlaceholder from "../contracts/erc-8004/MinimalUUPSMainnet.json" with { type: "json" };
import type { EvmNetwork, EvmNetworkName } from "../networks.ts";
import { placeContract } from "./contracts.ts";

/** Safe's singleton factory. It deploys the creation code that follows a salt of 32 bytes. */
const FACTORY = "0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7";
const FACTORY_CREATION_CODE =
  "0x604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";
/** Owner of the deployed proxies, a constant of the placeholder. */
const OWNER = "0x547289319C3e6aedB179C0b8e8aF0B5ACd062603";
const OWNER_BALANCE_WEI = 10n ** 20n;
/** Storage slot of a proxy's implementation (ERC-1967). */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const REGISTRY_SALT = 5;
const SALTS: Record<EvmNetworkName, { placeholder: number; proxy: number }> = {
  base: { placeholder: 2, proxy: 0x09ec53 },
  "base-sepolia": { placeholder: 1, proxy: 0x53bcdc },
};
const GAS = 5_000_000;

const abi = parseAbi([
  "function initialize()",
  "function initialize(address identityRegistry)",
  "function upgradeToAndCall(address newImplementation, bytes data) payable",
]);

interface Deployment {
  address: Hex;
  /** Data of the transaction to the factory. */
  data: Hex;
}

/** Returns the deployments of a network's registry. Their addresses are those of the real network. */
export function planRegistry(name: EvmNetworkName): Record<"placeholder" | "implementation" | "proxy", Deployment> {
  const salts = SALTS[name];
  const placeholderCode = (name === "base" ? mainPlaceholder : testPlaceholder).bytecode as Hex;
  const placeholder = planDeployment(salts.placeholder, placeholderCode);
  const initialization = encodeFunctionData({ abi, functionName: "initialize", args: [zeroAddress] });
  const args = [placeholder.address, initialization];
  const proxyCode = encodeDeployData({ abi: proxy.abi as Abi, bytecode: proxy.bytecode as Hex, args });
  return {
    placeholder,
    implementation: planDeployment(REGISTRY_SALT, registry.bytecode as Hex),
    proxy: planDeployment(salts.proxy, proxyCode),
  };
}

function planDeployment(saltNumber: number, bytecode: Hex): Deployment {
  const salt = numberToHex(saltNumber, { size: 32 });
  return { address: getCreate2Address({ from: FACTORY, salt, bytecode }), data: concat([salt, bytecode]) };
}

/**
 * Deploys the registry at its well-known address. Idempotent, also after an interruption. A chain from an earlier version has another
 * contract there, with the same interface, and retains it with its agents.
 * @throws {Error} when a transaction fails
 */
export async function installIdentityRegistry(client: PublicClient, network: EvmNetwork): Promise<void> {
  const plan = planRegistry(network.name);
  const readImplementation = async () =>
    slice((await client.getStorageAt({ address: network.identityRegistry, slot: IMPLEMENTATION_SLOT })) ?? "0x", 12);
  const hasCode = async (address: Hex) => (await client.getCode({ address })) !== undefined;
  const isDeployed = await hasCode(network.identityRegistry);
  if (isDeployed && !isAddressEqual(await readImplementation(), plan.placeholder.address)) return;

  const transactions: { to: Hex; data: Hex }[] = [];
  for (const { address, data } of [plan.placeholder, plan.proxy, plan.implementation]) {
    if (!(await hasCode(address))) transactions.push({ to: FACTORY, data });
  }
  const initialization = encodeFunctionData({ abi, functionName: "initialize" });
  const args = [plan.implementation.address, initialization] as const;
  const upgrade = encodeFunctionData({ abi, functionName: "upgradeToAndCall", args });
  transactions.push({ to: network.identityRegistry, data: upgrade });

  const request = (method: string, ...params: unknown[]) => client.request({ method, params } as never);
  await placeContract(client, FACTORY, FACTORY_CREATION_CODE);
  await request("anvil_setBalance", OWNER, numberToHex(OWNER_BALANCE_WEI));
  await request("anvil_impersonateAccount", OWNER);
  for (const transaction of transactions) {
    const hash: Hex = await request("eth_sendTransaction", { from: OWNER, ...transaction, gas: numberToHex(GAS) });
    const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 5 });
    if (status !== "success") throw new Error(`The identity registry was not deployed: transaction ${hash} reverted.`);
  }
  await request("anvil_stopImpersonatingAccount", OWNER);
}
