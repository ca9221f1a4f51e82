/** The life of an agent at the reference contracts of ERC-8004, with the calls, proofs and events of `registry-contract.ts`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Abi,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  pad,
  parseEventLogs,
  publicActions,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { formatAbiItem } from "viem/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import reference from "../../sandbox/contracts/erc-8004/IdentityRegistryUpgradeable.json" with { type: "json" };
import { type EvmChain, startEvmChain } from "../../sandbox/evm/chain.ts";
import { installIdentityRegistry, planRegistry } from "../../sandbox/evm/identity-registry.ts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { createPorts } from "../../sandbox/ports.ts";
import { createRegistry } from "../../src/agents/registry.ts";
import {
  computeWalletDeadline,
  encodeRegister,
  encodeSetAgentUri,
  encodeSetAgentWallet,
  encodeUnsetAgentWallet,
  findRegisteredAgentId,
  hashWalletProof,
  registryAbi,
  type WalletProof,
} from "../../src/agents/registry-contract.ts";

const REGISTRY = NETWORKS["base-sepolia"].identityRegistry;
/** Implementation of the proxies of Base and Base Sepolia (erc-8004-contracts, `triple-presigned-upgrade-chain-31337.json`). */
const IMPLEMENTATION = "0x7274e874CA62410a93Bd8bf61c69d8045E399c02";
/** Storage slots of a proxy's implementation (ERC-1967) and of the version that was initialized last (OpenZeppelin, `Initializable`). */
const IMPLEMENTATION_SLOT = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const INITIALIZED_SLOT = "0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00";
const GAS_MONEY_WEI = 10n ** 18n;
const abi = reference.abi as Abi;

let dataDir: string;
let chain: EvmChain;
let treasury: PrivateKeyAccount;
let wallet: PrivateKeyAccount;
let other: PrivateKeyAccount;

const start = () =>
  startEvmChain({ dataDir, host: "127.0.0.1", ports: createPorts(dataDir, "127.0.0.1") }, NETWORKS["base-sepolia"]);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "satchel-registry-"));
  chain = await start();
  const createAccount = () => privateKeyToAccount(generatePrivateKey());
  [treasury, wallet, other] = [createAccount(), createAccount(), createAccount()];
  for (const { address } of [treasury, other]) await chain.fund(address, { nativeAtomic: GAS_MONEY_WEI });
});
afterAll(async () => {
  await chain?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends a call to the registry. Returns its events, by name, and the gas used. @throws {Error} when it reverts */
async function send(account: PrivateKeyAccount, data: Hex) {
  const client = createWalletClient({ account, transport: http(chain.rpcUrl) }).extend(publicActions);
  const { status, logs, gasUsed } = await client.sendTransactionSync({ to: REGISTRY, data, chain: null });
  if (status !== "success") throw new Error("The call reverted.");
  const events = parseEventLogs({ abi, logs }).map(({ eventName, args }) => [eventName, args]);
  return { logs, gasUsed, events };
}

const request = (method: string, ...params: unknown[]) => chain.client.request({ method, params } as never);
const setStorage = (slot: Hex, value: Hex) => request("anvil_setStorageAt", REGISTRY, slot, value);
const read = (functionName: string, args: readonly unknown[] = []) =>
  chain.client.readContract({ address: REGISTRY, abi, functionName, args });
const encode = (functionName: string, args: unknown[]) => encodeFunctionData({ abi, functionName, args });
const urlOf = (id: string) => `https://satchel.example/agents/${id}/registration.json`;

async function register(id: string): Promise<bigint> {
  const { logs } = await send(treasury, encodeRegister(urlOf(id), id));
  const agentId = findRegisteredAgentId(logs, {
    registryAddress: REGISTRY,
    agentRecordId: id,
    owner: treasury.address,
  });
  if (agentId === undefined) throw new Error("The agent was not registered.");
  return agentId;
}

async function createProof(agentId: bigint, changes: Partial<WalletProof> = {}): Promise<WalletProof> {
  const deadline = computeWalletDeadline((await chain.client.getBlock()).timestamp);
  const names = { registryAddress: REGISTRY, newWallet: wallet.address, owner: treasury.address };
  return { chainId: 84532, ...names, agentId, deadline, ...changes };
}

const sign = (signer: PrivateKeyAccount, proof: WalletProof) =>
  signer.sign({ hash: `0x${Buffer.from(hashWalletProof(proof)).toString("hex")}` });

/** Links the wallet with its valid proof. */
async function link(agentId: bigint, sender = treasury) {
  const proof = await createProof(agentId, { owner: sender.address });
  return await send(sender, encodeSetAgentWallet(proof, await sign(wallet, proof)));
}

describe("the contracts", () => {
  it("have exactly the bytecode of the deployed ones, which their addresses are derived from", () => {
    for (const network of ["base", "base-sepolia"] as const) {
      const plan = planRegistry(network);
      expect(plan.implementation.address).toBe(IMPLEMENTATION);
      const registry = createRegistry({ AGENT_NETWORK: network, AGENT_REGISTRY: undefined, SANDBOX: false });
      expect(plan.proxy.address).toBe(registry.address);
    }
  });

  it("declare all functions and events of the service's ABI", () => {
    const format = (item: unknown) => formatAbiItem(item as never);
    const items = abi.filter(({ type }) => type === "function" || type === "event").map(format);
    expect(items).toEqual(expect.arrayContaining(registryAbi.map(format)));
  });

  it("are deployed once, and are the same after a restart", async () => {
    const agentId = await register("agt_1_restart");
    const block = await chain.client.getBlockNumber({ cacheTime: 0 });
    await installIdentityRegistry(chain.client, NETWORKS["base-sepolia"]);
    expect(await chain.client.getBlockNumber({ cacheTime: 0 })).toBe(block);
    await chain.stop();
    chain = await start();
    expect(await chain.client.getStorageAt({ address: REGISTRY, slot: IMPLEMENTATION_SLOT })).toContain(
      IMPLEMENTATION.slice(2).toLowerCase(),
    );
    expect([await read("getVersion"), await read("tokenURI", [agentId])]).toEqual(["2.0.0", urlOf("agt_1_restart")]);
  });

  it("are completed after an interruption before the upgrade", async () => {
    const { placeholder } = planRegistry("base-sepolia");
    await setStorage(IMPLEMENTATION_SLOT, pad(placeholder.address));
    await setStorage(INITIALIZED_SLOT, numberToHex(1, { size: 32 }));
    expect(await read("getVersion")).toBe("0.0.1");
    await installIdentityRegistry(chain.client, NETWORKS["base-sepolia"]);
    expect(await read("getVersion")).toBe("2.0.0");
    expect(await register("agt_1_completed")).toBeGreaterThan(0n);
  });

  it("do not replace the contract of a chain from an earlier version", async () => {
    const snapshot = await request("evm_snapshot");
    await request("anvil_setCode", REGISTRY, "0x00");
    await setStorage(IMPLEMENTATION_SLOT, zeroHash);
    await installIdentityRegistry(chain.client, NETWORKS["base-sepolia"]);
    expect(await chain.client.getCode({ address: REGISTRY })).toBe("0x00");
    await request("evm_revert", snapshot);
  });
});

describe("an agent", () => {
  it("is registered with the URL of its file and the id of its record, for its owner", async () => {
    const id = "agt_1_registered";
    const { events, logs, gasUsed } = await send(treasury, encodeRegister(urlOf(id), id));
    const expected = { registryAddress: REGISTRY, agentRecordId: id, owner: treasury.address };
    const agentId = findRegisteredAgentId(logs, expected);
    expect(events).toContainEqual(["Registered", { agentId, agentURI: urlOf(id), owner: treasury.address }]);
    const metadata = { metadataKey: "satchel.agent", metadataValue: stringToHex(id) };
    expect(events).toContainEqual(["MetadataSet", expect.objectContaining({ agentId, ...metadata })]);
    expect(await read("getMetadata", [agentId, "satchel.agent"])).toBe(stringToHex(id));
    expect(await read("ownerOf", [agentId])).toBe(treasury.address);
    expect(await read("getAgentWallet", [agentId])).toBe(treasury.address);
    expect(findRegisteredAgentId(logs, { ...expected, agentRecordId: "agt_1_other" })).toBeUndefined();
    expect(findRegisteredAgentId(logs, { ...expected, owner: other.address })).toBeUndefined();
    expect(findRegisteredAgentId(logs, { ...expected, registryAddress: IMPLEMENTATION })).toBeUndefined();
    expect(Number(gasUsed)).toBeLessThan(300_000);
  });

  it("has the wallet that proved its control, until it is unset", async () => {
    const agentId = await register("agt_1_linked");
    const { events, gasUsed } = await link(agentId);
    const metadata = { metadataKey: "agentWallet", metadataValue: wallet.address.toLowerCase() };
    expect(events).toEqual([["MetadataSet", expect.objectContaining({ agentId, ...metadata })]]);
    expect(await read("getAgentWallet", [agentId])).toBe(wallet.address);
    expect(Number(gasUsed)).toBeLessThan(60_000);
    await send(treasury, encodeUnsetAgentWallet(agentId));
    expect(await read("getAgentWallet", [agentId])).toBe(zeroAddress);
    await link(agentId);
    expect(await read("getAgentWallet", [agentId])).toBe(wallet.address);
  });

  it("has the URL that was set last", async () => {
    const agentId = await register("agt_1_moved");
    const newURI = "https://new.example/agents/agt_1_moved/registration.json";
    const { events } = await send(treasury, encodeSetAgentUri(agentId, newURI));
    expect(events).toContainEqual(["URIUpdated", { agentId, newURI, updatedBy: treasury.address }]);
    expect(await read("tokenURI", [agentId])).toBe(newURI);
  });

  it("loses its wallet with a transfer, and has one again after a proof for the new owner", async () => {
    const agentId = await register("agt_1_transferred");
    await link(agentId);
    await send(treasury, encode("transferFrom", [treasury.address, other.address, agentId]));
    expect(await read("getAgentWallet", [agentId])).toBe(zeroAddress);
    expect(await read("ownerOf", [agentId])).toBe(other.address);
    await expect(link(agentId)).rejects.toThrow("Not authorized");
    const proof = await createProof(agentId, { owner: treasury.address });
    const ofFormerOwner = encodeSetAgentWallet(proof, await sign(wallet, proof));
    await expect(send(other, ofFormerOwner)).rejects.toThrow("invalid wallet sig");
    await link(agentId, other);
    expect(await read("getAgentWallet", [agentId])).toBe(wallet.address);
  });
});

describe("a proof of the wallet is rejected", () => {
  const cases: [string, string, () => Partial<WalletProof>, () => Partial<WalletProof>][] = [
    ["for another agent", "invalid wallet sig", () => ({ agentId: 0n }), () => ({})],
    ["for another owner", "invalid wallet sig", () => ({ owner: other.address }), () => ({})],
    ["for another wallet", "invalid wallet sig", () => ({ newWallet: other.address }), () => ({})],
    ["for another network", "invalid wallet sig", () => ({ chainId: 8453 }), () => ({})],
    [
      "for the implementation instead of the proxy",
      "invalid wallet sig",
      () => ({ registryAddress: IMPLEMENTATION }),
      () => ({}),
    ],
    ["for an earlier deadline", "invalid wallet sig", () => ({ deadline: 1n }), () => ({})],
    ["that expired", "expired", () => ({ deadline: 1n }), () => ({ deadline: 1n })],
    [
      "that is valid for more than 5 minutes",
      "deadline too far",
      () => ({ deadline: 2n ** 40n }),
      () => ({ deadline: 2n ** 40n }),
    ],
    ["for no wallet", "bad wallet", () => ({ newWallet: zeroAddress }), () => ({ newWallet: zeroAddress })],
  ];
  it.each(cases)("%s: %s", async (_case, reason, signed, sent) => {
    const agentId = await register("agt_1_rejected");
    const proof = await createProof(agentId);
    const signature = await sign(wallet, { ...proof, ...signed() });
    await expect(send(treasury, encodeSetAgentWallet({ ...proof, ...sent() }, signature))).rejects.toThrow(reason);
    expect(await read("getAgentWallet", [agentId])).toBe(treasury.address);
  });

  it("signed by another key, or sent by another account", async () => {
    const agentId = await register("agt_1_forged");
    const proof = await createProof(agentId);
    const forged = encodeSetAgentWallet(proof, await sign(other, proof));
    await expect(send(treasury, forged)).rejects.toThrow("invalid wallet sig");
    const valid = encodeSetAgentWallet(proof, await sign(wallet, proof));
    await expect(send(other, valid)).rejects.toThrow("Not authorized");
    expect(await read("getAgentWallet", [agentId])).toBe(treasury.address);
  });
});
