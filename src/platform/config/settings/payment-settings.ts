/** Settings of chains, payments, trades and language models. */
import { z } from "zod";
import { flag, integer, list, nonEmpty, text, url, urls, usd } from "../values.ts";

export const chainsAndPayments = {
  RPC_URL_BASE: url.optional().describe("JSON-RPC endpoint of Base"),
  RPC_URL_BASE_SEPOLIA: url.optional().describe("JSON-RPC endpoint of Base Sepolia"),
  RPC_URL_SOLANA: url.optional().describe("JSON-RPC endpoint of Solana"),
  RPC_URL_SOLANA_DEVNET: url.optional().describe("JSON-RPC endpoint of Solana Devnet"),
  RPC_URL_AVALANCHE: url.optional().describe("JSON-RPC endpoint of Avalanche C-Chain"),
  DEFAULT_NETWORK: z
    .enum(["base", "base-sepolia", "solana", "solana-devnet", "avalanche"])
    .optional()
    .describe(
      "network of GET /api/balance, a testnet if test money is to count; default base, base-sepolia in the sandbox",
    ),
  FACILITATOR_URLS: urls.describe(
    "trusted X402 facilitators, comma separated; the signers in their /supported may be spenders of upto permits",
  ),
  UPTO_SPENDERS: list.describe("further facilitator signers allowed as spender of an upto permit, comma separated"),
  REVOCATION_FEE_PER_ACCOUNT_GWEI: integer(0, 1_000_000_000)
    .default(1_000_000)
    .describe(
      "maximum network fees in gwei that the treasury pays each day to revoke an account's upto permits, on each network",
    ),
  REVOCATION_FEE_PER_SELLER_GWEI: integer(0, 1_000_000_000)
    .default(10_000_000)
    .describe("maximum of those fees for the permits of one seller, for its recipient address and for its host"),
  REVOCATION_FEE_TOTAL_GWEI: integer(0, 1_000_000_000)
    .default(50_000_000)
    .describe("maximum of those fees for all accounts together, on each network"),
  MAX_FEE_PER_GAS_GWEI: list
    .pipe(
      z.array(
        z
          .string()
          .regex(/^(base|base-sepolia|avalanche)=\d{1,6}(\.\d{1,9})?$/, "must be network=gwei, such as base=20"),
      ),
    )
    .describe(
      "fees per gas in gwei above which nothing is signed, such as base=20,avalanche=300, comma separated; default: 50 on Base, 500 on Avalanche",
    ),
  TREASURY_LOW_NATIVE: list
    .pipe(
      z.array(
        z
          .string()
          .regex(
            /^(base|base-sepolia|solana|solana-devnet|avalanche)=\d{1,12}(\.\d{1,9})?$/,
            "must be network=amount, such as base=0.01",
          ),
      ),
    )
    .describe(
      "treasury balances of native coins below which funds are low, such as base=0.01,solana=0.2, comma separated; default: 0.005 ETH, 0.1 SOL, 0.1 AVAX",
    ),
  TREASURY_LOW_USD: usd("10.00").describe("USDC balance of the treasury on each network below which funds are low"),
  RECONCILE_INTERVAL_MS: integer(100, 600_000)
    .default(5_000)
    .describe("interval between on-chain checks of unsettled payments"),
  CHAIN_AUDIT: flag
    .default(true)
    .describe("compare the transfers of all wallets on chain with the ledger, continuously"),
  CHAIN_AUDIT_INTERVAL_MS: integer(1_000, 86_400_000).default(60_000).describe("interval between runs of that audit"),
  CHAIN_AUDIT_MAX_REQUESTS: integer(10, 1_000_000)
    .default(300)
    .describe("approximate maximum of its RPC requests on each network in a run; the next run continues"),
  CHAIN_AUDIT_CONFIRMATIONS: integer(0, 100_000)
    .optional()
    .describe("blocks after which it reads an EVM block; default 1 in the sandbox, else finalized blocks"),
  CHAIN_AUDIT_SINCE: z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value))
    .optional()
    .describe(
      "time from which transfers are audited, such as 2026-11-01T00:00:00Z, read at its first run; default: the oldest wallet's creation",
    ),
};

export const trading = {
  DEX_URL: url
    .optional()
    .describe("URL of the 0x Swap API v2, such as https://api.0x.org; default: the sandbox's, else none"),
  DEX_API_KEY: nonEmpty.optional().describe("API key for DEX_URL"),
  DEX_SPENDERS: list.describe(
    "contracts that may receive an allowance for a sold token, comma separated; default: 0x's AllowanceHolder",
  ),
  DEX_TIMEOUT_MS: integer(100, 60_000).default(10_000).describe("timeout of a request to DEX_URL"),
  TRADE_WAIT_MS: integer(0, 120_000)
    .default(30_000)
    .describe("maximum time that a trade's response waits for the network"),
  TRADE_STUCK_MS: integer(100, 600_000)
    .default(30_000)
    .describe("time after which a trade's unmined transaction is sent again with higher fees"),
  TRADE_GAS_MAX_USD: usd("10.00").describe(
    "maximum price of the native coin that the treasury sells to a wallet without it, for the network fees of one trade",
  ),
  TRADE_GAS_PER_ACCOUNT_GWEI: integer(0, 1_000_000_000)
    .default(20_000_000)
    .describe(
      "maximum of that native coin in gwei that the treasury sells to an account each day, with its own network fees",
    ),
  TRADE_GAS_TOTAL_GWEI: integer(0, 1_000_000_000)
    .default(500_000_000)
    .describe("maximum of that native coin in gwei for all accounts together each day; 0 sells none"),
};

export const languageModels = {
  GATEWAY_PROVIDERS: text
    .optional()
    .describe("language model providers, as JSON or the path of a JSON file; default: the sandbox's, else none"),
  GATEWAY_TIMEOUT_MS: integer(100, 120_000)
    .default(60_000)
    .describe("timeout for the start of a language model provider's stream"),
  GATEWAY_COMPLETION_TIMEOUT_MS: integer(100, 1_800_000)
    .default(600_000)
    .describe(
      "timeout for a language model provider's response that is not streamed, which starts when it is complete",
    ),
  GATEWAY_IDLE_TIMEOUT_MS: integer(100, 1_800_000)
    .default(120_000)
    .describe("silence after which a language model provider's stream has failed; its keep-alives count"),
  GATEWAY_MAX_DURATION_MS: integer(1_000, 7_200_000)
    .default(1_800_000)
    .describe("maximum duration of a language model's response; reserved funds are outstanding no longer"),
  GATEWAY_MAX_CALLS_IN_FLIGHT: integer(1, 1_000)
    .default(200)
    .describe("maximum language model calls of one account in flight, per node"),
  GATEWAY_WALLET_MIN_USD: usd("0.01").describe(
    "minimum cost of a wallet-paid call to a provider with an API key; the treasury pays the fee of each such transaction",
  ),
};
