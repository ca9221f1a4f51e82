/** The two kinds of credential, and what each says: the one list behind their claims, their type metadata and the documentation. */

export const CREDENTIAL_KINDS = ["trust", "delegation"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A claim that the holder may show or keep back. */
export interface ClaimDescription {
  /** Names from the credential's own members inward (SD-JWT VC, "Claim Path"). */
  readonly path: readonly [string, ...string[]];
  readonly label: string;
  readonly description: string;
}

export interface CredentialType {
  readonly name: string;
  readonly description: string;
  readonly claims: readonly ClaimDescription[];
}

const claim = (path: string, label: string, description: string): ClaimDescription => ({
  path: path.split(".") as [string, ...string[]],
  label,
  description,
});

const AGENT_CLAIMS = [
  claim("agent_id", "Agent", "Its number in the registry, from 0 on."),
  claim("agent_registry", "Registry", "The ERC-8004 identity registry: eip155:<chain id>:<contract>."),
  claim("chain", "Chain", "The chain of the registry, by its CAIP-2 name."),
];

export const CREDENTIAL_TYPES: Readonly<Record<CredentialKind, CredentialType>> = {
  trust: {
    name: "Agent trust",
    description: "Who an agent is on chain, and how it has behaved so far.",
    claims: [
      claim("sub", "Wallet", "The wallet it pays from, as did:pkh."),
      ...AGENT_CLAIMS,
      claim("registration", "Registration file", "Where its registration file is (ERC-8004)."),
      claim("trust_score", "Trust score", "From 0 to 100."),
      claim("trust_score_parts", "Parts of the score", "By name, each with points and max_points; shown one by one."),
      claim("statements", "Statements of the issuer", "What the issuer vouches for; shown one by one."),
      claim("statements.wallet_linked", "Wallet linked", "Whether the registry names the wallet as the agent's."),
      claim("statements.registered_on", "Registered on", "The day of its registration (UTC)."),
      claim("statements.account_opened_on", "Account opened on", "The day the person opened the account (UTC)."),
      claim("statements.email_verified", "Email verified", "Whether the person's email address was verified."),
    ],
  },
  delegation: {
    name: "Agent delegation",
    description: "What a person lets an agent do on their behalf.",
    claims: [
      claim("sub", "Person", "The person who delegates, as did:web."),
      claim("agent", "Agent's wallet", "The wallet the agent pays from, as did:pkh."),
      ...AGENT_CLAIMS,
      claim("payments_enabled", "Payments", "Whether the person lets it pay at all."),
      claim(
        "limits",
        "Limits",
        "The account's limits, US dollars as decimal strings; null means none. Shown one by one.",
      ),
      claim("limits.per_transaction_usd", "Per payment", "The most a single payment may cost."),
      claim("limits.daily_usd", "Per day", "The most it may spend in a day (UTC)."),
      claim("limits.monthly_usd", "Per month", "The most it may spend in a month (UTC)."),
      claim("scopes", "Scopes", "What its credentials are granted."),
      claim("networks", "Networks", "Where its credentials may pay, by CAIP-2 names."),
    ],
  },
};

/** Where a type's metadata is: its `vct`. */
export function credentialTypePath(kind: CredentialKind): string {
  return `/agents/credential-types/${kind}`;
}

const LOCALE = "en";

/** What a kind of credential means, for programs and people (SD-JWT VC, "Type Metadata Format"): served where `vct` points. */
export function typeMetadata(baseUrl: string, kind: CredentialKind): object {
  const { name, description, claims } = CREDENTIAL_TYPES[kind];
  return {
    vct: baseUrl + credentialTypePath(kind),
    name,
    description,
    display: [{ locale: LOCALE, name, description }],
    claims: claims.map(({ path, ...display }) => ({ path, display: [{ locale: LOCALE, ...display }], sd: "allowed" })),
  };
}
