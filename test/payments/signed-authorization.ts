/** The authorization of a signed payment on Base Sepolia, as the ledger stores it. */
export const AUTHORIZATION = {
  x402Version: 2,
  scheme: "exact",
  network: "base-sepolia",
  echo: { network: "eip155:84532", accepted: null, resource: null, gasSponsoring: null },
  authorization: {
    kind: "eip3009",
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    chainId: 84_532,
    domain: { name: "USDC", version: "2" },
    from: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    valueAtomic: "1",
    validAfter: "0",
    validBefore: "9999999999",
    nonce: `0x${"ab".repeat(32)}`,
  },
};
