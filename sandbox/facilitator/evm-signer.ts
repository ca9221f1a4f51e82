import { type FacilitatorEvmSigner, toFacilitatorEvmSigner } from "@x402/evm";
import { concatHex, encodeFunctionData, type Hex, isAddressEqual, recoverTypedDataAddress } from "viem";
import type { EvmChain } from "../evm/chain.ts";

/** Creates the signer that the reference packages need for a facilitator on one EVM chain. */
export function facilitatorEvmSigner(chain: EvmChain): FacilitatorEvmSigner {
  const { client, facilitator } = chain;
  return toFacilitatorEvmSigner({
    address: facilitator.address,
    // Simulations run as the facilitator, because the upto proxy rejects every other caller.
    readContract: (call) => client.readContract({ ...call, account: facilitator.address } as never),
    async verifyTypedData(typedData) {
      const recovered = await recoverTypedDataAddress(typedData as never).catch(() => undefined);
      if (recovered && isAddressEqual(recovered, typedData.address)) return true;
      const code = await client.getCode({ address: typedData.address });
      return code !== undefined && client.verifyTypedData(typedData as never);
    },
    writeContract({ address, abi, functionName, args, dataSuffix }) {
      const data = encodeFunctionData({ abi, functionName, args } as never) as Hex;
      return facilitator.send({ to: address, data: dataSuffix ? concatHex([data, dataSuffix]) : data });
    },
    sendTransaction: (call) => facilitator.send(call),
    waitForTransactionReceipt: ({ hash, timeout }) => chain.waitForReceipt(hash, timeout),
    getCode: (call) => client.getCode(call),
  });
}
