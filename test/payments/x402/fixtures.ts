import { randomBytes } from "node:crypto";
import { Keypair } from "@solana/web3.js";
import type { BuildDeps } from "../../../src/payments/x402/build-authorization.ts";
import { chooseRequirement } from "../../../src/payments/x402/choice.ts";
import type { Requirement } from "../../../src/payments/x402/requirement.ts";
import { parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
import { localKek } from "../../../src/platform/crypto/sealing/key-encryption-local.ts";
import { NETWORK_NAMES, NETWORKS } from "../../../src/wallet/networks.ts";
import { createVault } from "../../../src/wallet/sealed-vault.ts";

export const vault = createVault({ kek: localKek(randomBytes(32), "test") });

export const PAYEE = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C";
export const FACILITATOR = "0x857b06519E91e3A54538791bDbb0E22373e36b66";
export const SOLANA_PAYEE = Keypair.generate().publicKey.toBase58();
export const FEE_PAYER = Keypair.generate().publicKey.toBase58();

type Entry = Record<string, unknown>;

/** Returns an `exact` entry of version 1 on base-sepolia. */
export function entryV1(changes: Entry = {}): Entry {
  return {
    scheme: "exact",
    network: "base-sepolia",
    maxAmountRequired: "10000",
    resource: "https://merchant.example/weather",
    description: "Weather",
    mimeType: "application/json",
    payTo: PAYEE,
    maxTimeoutSeconds: 60,
    asset: NETWORKS["base-sepolia"].usdc.address,
    extra: { name: "USDC", version: "2" },
    ...changes,
  };
}

/** Returns an `exact` entry of version 2 on base-sepolia. */
export function entryV2(changes: Entry = {}): Entry {
  return {
    scheme: "exact",
    network: "eip155:84532",
    amount: "10000",
    payTo: PAYEE,
    maxTimeoutSeconds: 60,
    asset: NETWORKS["base-sepolia"].usdc.address,
    extra: { name: "USDC", version: "2" },
    ...changes,
  };
}

/** Returns an `exact` entry of version 1 on Solana's devnet. */
export function solanaEntry(changes: Entry = {}): Entry {
  return entryV1({
    network: "solana-devnet",
    payTo: SOLANA_PAYEE,
    asset: NETWORKS["solana-devnet"].usdc.address,
    extra: { feePayer: FEE_PAYER },
    ...changes,
  });
}

export const bodyV1 = (...accepts: unknown[]) => ({ x402Version: 1, error: "X-PAYMENT header is required", accepts });
export const bodyV2 = (...accepts: unknown[]) => ({
  x402Version: 2,
  error: "Payment required",
  resource: { url: "https://merchant.example/weather", description: "Weather", mimeType: "application/json" },
  accepts,
});

export const ANY_NETWORK = { networks: NETWORK_NAMES, uptoSpenders: [FACILITATOR] };

/** Returns the entry chosen from a 402 body if everything is allowed. */
export function chosenFrom(body: unknown, uptoSpenders: readonly string[] = [FACILITATOR]): Requirement {
  return chooseRequirement(parsePaymentRequired({ body }), { networks: NETWORK_NAMES, uptoSpenders }).chosen;
}

export const NOW = new Date("2026-11-20T12:00:00.900Z");
export const NOW_SECONDS = 1_795_176_000;
export const UPTO_V2 = { scheme: "upto", extra: { name: "USDC", version: "2", facilitatorAddress: FACILITATOR } };
export const OFFER = { description: "The facilitator pays the gas.", version: "1" };
export const sponsoring = (...accepts: unknown[]) => ({
  ...bodyV2(...accepts),
  extensions: { eip2612GasSponsoring: { info: OFFER, schema: {} } },
});

/** Creates fake chains. The clock returns `startMs` before the first response of a chain, and NOW afterwards. */
export function buildDeps(allowanceAtomic = 0n, startMs = NOW.getTime()): BuildDeps {
  let nowMs = startMs;
  const respondWith =
    <T>(value: T) =>
    async () => {
      nowMs = NOW.getTime();
      return value;
    };
  const evm = { permitNonce: respondWith(5n), permit2AllowanceAtomic: respondWith(allowanceAtomic) };
  const solana = {
    latestBlockhash: respondWith({ blockhash: FEE_PAYER, lastValidBlockHeight: 1234 }),
    mint: respondWith({ tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", decimals: 6 }),
  };
  return { chains: { evm: () => evm, solana: () => solana } as never, now: () => new Date(nowMs) };
}
