/** The two kinds of credential with descriptions of their claims, used for type metadata and GraphQL descriptions. */

export const CREDENTIAL_KINDS = ["trust", "delegation"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A selectively disclosable claim. */
export interface ClaimDescription {
  /** Claim names from the outermost inwards (SD-JWT VC, "Claim Path"). */
  readonly path: readonly [string, ...string[]];
  readonly label: string;
  readonly description: string;
}

export interface CredentialType {
  readonly name: string;
  readonly description: string;
  readonly claims: readonly ClaimDescription[];
}

const describeClaim = (path: string, label: string, description: string): ClaimDescription => ({
  path: path.split(".") as [string, ...string[]],
  label,
  description,
});

const AGENT_CLAIMS = [
  describeClaim("agent_id", "Agent", "The agent's id in the registry, 0 or greater."),
  describeClaim("agent_registry", "Registry", "The ERC-8004 identity registry: eip155:<chain id>:<contract>."),
  describeClaim("chain", "Chain", "The CAIP-2 identifier of the registry's chain."),
];

export const CREDENTIAL_TYPES: Readonly<Record<CredentialKind, CredentialType>> = {
  trust: {
    name: "Agent trust",
    description: "The identity of an agent on chain, and its trust score.",
    claims: [
      describeClaim("sub", "Wallet", "The agent's wallet, as did:pkh."),
      ...AGENT_CLAIMS,
      describeClaim("registration", "Registration file", "The URL of the agent's registration file (ERC-8004)."),
      describeClaim("trust_score", "Trust score", "The trust score, from 0 to 100."),
      describeClaim(
        "trust_score_parts",
        "Parts of the score",
        "The parts by name, each with points and max_points. Each is disclosable.",
      ),
      describeClaim(
        "statements",
        "Statements of the issuer",
        "Statements verified by the issuer. Each is disclosable.",
      ),
      describeClaim(
        "statements.wallet_linked",
        "Wallet linked",
        "Whether the registry contains the wallet as the agent's wallet.",
      ),
      describeClaim("statements.registered_on", "Registered on", "The date of the registration (UTC)."),
      describeClaim("statements.account_opened_on", "Account opened on", "The date the account was created (UTC)."),
      describeClaim(
        "statements.email_verified",
        "Email verified",
        "Whether the account owner's email address was verified.",
      ),
    ],
  },
  delegation: {
    name: "Agent delegation",
    description: "The limits and scopes within which an agent acts for an account owner.",
    claims: [
      describeClaim("sub", "Account owner", "The delegating account owner, as did:web."),
      describeClaim("agent", "Agent's wallet", "The agent's wallet, as did:pkh."),
      ...AGENT_CLAIMS,
      describeClaim("payments_enabled", "Payments", "Whether the account owner enabled payments."),
      describeClaim(
        "limits",
        "Limits",
        "The account's limits as decimal strings in US dollars. Null means unlimited. Each is disclosable.",
      ),
      describeClaim("limits.per_transaction_usd", "Per payment", "The maximum amount of one payment."),
      describeClaim("limits.daily_usd", "Per day", "The maximum amount per day (UTC)."),
      describeClaim("limits.monthly_usd", "Per month", "The maximum amount per month (UTC)."),
      describeClaim("scopes", "Scopes", "The scopes of the account's API tokens and grants."),
      describeClaim(
        "networks",
        "Networks",
        "The networks of the account's API tokens and grants, as CAIP-2 identifiers.",
      ),
    ],
  },
};

/** Returns the path of a type's metadata, which its `vct` names. */
export function credentialTypePath(kind: CredentialKind): string {
  return `/agents/credential-types/${kind}`;
}

const LOCALE = "en";

/** Returns the type metadata of a kind of credential (SD-JWT VC, "Type Metadata Format"), published at its `vct`. */
export function createTypeMetadata(baseUrl: string, kind: CredentialKind): object {
  const { name, description, claims } = CREDENTIAL_TYPES[kind];
  return {
    vct: baseUrl + credentialTypePath(kind),
    name,
    description,
    display: [{ locale: LOCALE, name, description }],
    claims: claims.map(({ path, ...display }) => ({ path, display: [{ locale: LOCALE, ...display }], sd: "allowed" })),
  };
}
