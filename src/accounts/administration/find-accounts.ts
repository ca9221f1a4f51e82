import { getAddress, isAddress } from "viem";
import type { Database } from "../../platform/database/connection.ts";
import { isStorableText } from "../../platform/database/text.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { parseSubject } from "../subject.ts";

const MAX_SEARCH_LENGTH = 300;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AGENT_NUMBER = /^\d{1,18}$/;

export interface AccountSearch {
  readonly db: Database;
  readonly baseUrl: string;
  /** The registry of agents' ids on chain. */
  readonly registry: { readonly network: string; readonly address: string };
}

/**
 * Returns the ids of the accounts that a search names exactly, each through a unique index. It can be an account id, subject,
 * email address, wallet address or mailbox address. It can also be the agent's record id, or its id on chain.
 * @throws {InvalidRequestError} if the text is too long
 */
export async function findAccountIds({ db, baseUrl, registry }: AccountSearch, search: string): Promise<string[]> {
  const text = search.trim();
  if (text.length > MAX_SEARCH_LENGTH || !isStorableText(text)) {
    throw new InvalidRequestError(`search must be text of at most ${MAX_SEARCH_LENGTH} characters.`, "search");
  }
  const { prisma } = db;
  const select = { accountId: true } as const;
  const accountId = UUID.test(text) ? text.toLowerCase() : parseSubject(baseUrl, text);
  if (accountId !== null) return [accountId];
  if (text.includes("@")) {
    const email = text.toLowerCase();
    const [account, mailbox] = await Promise.all([
      prisma.account.findUnique({ where: { email }, select: { id: true } }),
      prisma.mailbox.findUnique({ where: { address: email }, select }),
    ]);
    return distinct([account?.id, mailbox?.accountId]);
  }
  if (AGENT_NUMBER.test(text)) {
    const { network, address: registryAddress } = registry;
    const network_registryAddress_agentId = { network, registryAddress, agentId: BigInt(text) };
    const agent = await prisma.agent.findUnique({ where: { network_registryAddress_agentId }, select });
    return distinct([agent?.accountId]);
  }
  const [wallet, agent] = await Promise.all([
    prisma.wallet.findFirst({ where: { OR: [{ evmAddress: toChecksum(text) }, { solanaAddress: text }] }, select }),
    prisma.agent.findUnique({ where: { id: text }, select }),
  ]);
  return distinct([wallet?.accountId, agent?.accountId]);
}

const distinct = (ids: readonly (string | null | undefined)[]) => [
  ...new Set(ids.filter((id): id is string => typeof id === "string")),
];

/** Returns an EVM address in the case in which it is stored (EIP-55); other text unchanged. */
function toChecksum(text: string): string {
  return isAddress(text, { strict: false }) ? getAddress(text) : text;
}
