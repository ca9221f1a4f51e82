import { type Abi, encodeDeployData, type Hex, type PublicClient } from "viem";
import exactProxy from "../contracts/ExactPermit2Proxy.json" with { type: "json" };
import multicall3 from "../contracts/Multicall3.json" with { type: "json" };
import permit2 from "../contracts/Permit2.json" with { type: "json" };
import uptoProxy from "../contracts/UptoPermit2Proxy.json" with { type: "json" };
import usdc from "../contracts/Usdc.json" with { type: "json" };
import { issuerEvm } from "../identities.ts";
import type { EvmNetwork } from "../networks.ts";

export const PERMIT2_ADDRESS = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** ABI of the functions of the sandbox's USDC that TypeScript code calls, in viem's human-readable form. */
export const USDC_FUNCTIONS = [
  "function mint(address to, uint256 amount) returns (bool)",
  "function balanceOf(address) view returns (uint256)",
  "function nonces(address) view returns (uint256)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function transferFrom(address from, address to, uint256 value) returns (bool)",
] as const;

/** Installs the contracts that X402 expects on every chain at their well-known addresses. Idempotent. */
export async function installContracts(client: PublicClient, network: EvmNetwork): Promise<void> {
  const installations: [address: Hex, creationCode: Hex][] = [
    [
      network.usdc,
      encodeDeployData({
        abi: usdc.abi as Abi,
        bytecode: usdc.bytecode as Hex,
        args: [network.usdcDomain.name, issuerEvm.address],
      }),
    ],
    ["0xcA11bde05977b3631167028862bE2a173976CA11", multicall3.bytecode as Hex],
    [PERMIT2_ADDRESS, permit2.bytecode as Hex],
    ["0x402085c248EeA27D92E8b30b2C58ed07f9E20001", exactProxy.bytecode as Hex],
    ["0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002", uptoProxy.bytecode as Hex],
  ];
  await Promise.all(installations.map(([address, creationCode]) => placeContract(client, address, creationCode)));
}

/** Sets the code at `address`. A call with the creation code returns the runtime code including its immutables. */
export async function placeContract(client: PublicClient, address: Hex, creationCode: Hex): Promise<void> {
  const { data } = await client.call({ data: creationCode });
  await client.request({ method: "anvil_setCode", params: [address, data] } as never);
}
