/**
 * Signers of the configured facilitators, which may be the spender of an `upto` permit. They come from `GET /supported` (X402
 * version 2, section "Discovery"). Only a valid response changes them: while a facilitator is unavailable, its last signers
 * remain, which the database stores.
 */
import { z } from "zod";
import type { Database } from "../platform/database/connection.ts";
import { readBounded } from "../platform/egress/body.ts";
import type { Egress } from "../platform/egress/egress.ts";
import { PART_TIMEOUT_MS, PartFault } from "../platform/health/parts.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { findNetwork, type Network, type NetworkName } from "../wallet/networks.ts";
import { canonicalEvmAddress } from "./x402/addresses.ts";

export interface FacilitatorSigner {
  readonly network: NetworkName;
  readonly address: string;
}

export interface FacilitatorSigners {
  /** Returns the last known signers. Refreshes them in the background if they are older than `REFRESH_MS`. */
  current(): readonly FacilitatorSigner[];
  /** Loads the stored signers, and refreshes them in the background. */
  load(): Promise<void>;
  /** Requests the signers of all facilitators. Never rejects: those of a facilitator that fails remain. */
  refresh(): Promise<void>;
  /** @throws {PartFault} a facilitator does not respond as the protocol requires */
  check(): Promise<void>;
}

export const REFRESH_MS = 600_000;
const TIMEOUT_MS = 10_000;
/** Shorter than that of a part, so that the reason names the facilitator. */
const CHECK_TIMEOUT_MS = PART_TIMEOUT_MS - 1_000;
const MAX_RESPONSE_BYTES = 1_048_576;
/** A facilitator signs with few keys. More would be a sign of an incorrect response. */
const MAX_SIGNERS = 100;

const supportedSchema = z.object({
  kinds: z.array(z.object({ scheme: z.string(), network: z.string() })),
  /** Addresses by CAIP-2 name or pattern, such as `eip155:*`. */
  signers: z.record(z.string(), z.array(z.string()).max(MAX_SIGNERS)),
});

export function createFacilitatorSigners(deps: {
  readonly db: Database;
  readonly egress: Egress;
  readonly logger: Logger;
  readonly urls: readonly string[];
}): FacilitatorSigners {
  const { db, egress, logger, urls } = deps;
  let signers: readonly FacilitatorSigner[] = [];
  let refreshedAtMs = 0;
  let refreshing: Promise<void> | null = null;

  async function read(): Promise<void> {
    const rows = await db.prisma.facilitatorSigner.findMany({ where: { facilitatorUrl: { in: [...urls] } } });
    signers = rows.map(({ network, address }) => ({ network: network as NetworkName, address }));
  }

  async function refreshOne(facilitatorUrl: string): Promise<void> {
    try {
      const declared = await requestSigners(egress, facilitatorUrl);
      await db.prisma.$transaction([
        db.prisma.facilitatorSigner.deleteMany({ where: { facilitatorUrl } }),
        db.prisma.facilitatorSigner.createMany({
          data: declared.map((signer) => ({ facilitatorUrl, ...signer })),
          // Another node may refresh at the same time.
          skipDuplicates: true,
        }),
      ]);
    } catch (error) {
      logger.warn({ err: error, facilitatorUrl }, "Signers of the facilitator not refreshed; its last ones remain");
    }
  }

  async function refreshAll(): Promise<void> {
    refreshedAtMs = Date.now();
    await Promise.all(urls.map(refreshOne));
    await read().catch((error: unknown) => logger.warn({ err: error }, "Signers of facilitators not read"));
  }

  function refresh(): Promise<void> {
    refreshing ??= refreshAll().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  return {
    current() {
      if (urls.length > 0 && refreshedAtMs + REFRESH_MS < Date.now()) void refresh();
      return signers;
    },
    async load() {
      if (urls.length === 0) return;
      await read();
      void refresh();
    },
    refresh,
    async check() {
      const checks = await Promise.allSettled(urls.map((url) => requestSigners(egress, url, CHECK_TIMEOUT_MS)));
      const failed = urls.filter((_url, i) => checks[i]?.status === "rejected").map((url) => new URL(url).host);
      if (failed.length > 0) throw new PartFault(`no valid list of supported kinds from ${failed.join(", ")}`);
    },
  };
}

/** Returns the signers of a facilitator on the EVM networks on which it supports `upto`. @throws {Error} */
async function requestSigners(
  egress: Egress,
  facilitatorUrl: string,
  timeoutMs = TIMEOUT_MS,
): Promise<FacilitatorSigner[]> {
  const { status, body } = await egress.request({
    url: `${facilitatorUrl}/supported`,
    method: "GET",
    headers: { accept: "application/json" },
    timeoutMs,
    maxRedirects: 0,
  });
  const text = await readBounded(body, MAX_RESPONSE_BYTES);
  if (status !== 200) throw new Error(`The facilitator responded with status ${status}.`);
  const { kinds, signers } = supportedSchema.parse(JSON.parse(text));
  const supported = kinds.filter(({ scheme }) => scheme === "upto").map(({ network }) => findNetwork(network));
  const networks = new Set(supported.filter((network) => network?.kind === "evm"));
  return [...networks].flatMap((network) => {
    const matching = Object.entries(signers).flatMap(([pattern, addresses]) =>
      matches(pattern, network) ? addresses : [],
    );
    const canonical = matching.map(canonicalEvmAddress).filter((address) => address !== null);
    return [...new Set(canonical)].map((address) => ({ network: network.name, address }));
  });
}

/** Returns whether a CAIP-2 name, or a pattern for all networks of a namespace, includes the network. */
function matches(pattern: string, { caip2 }: Network): boolean {
  return caip2.includes(pattern) || caip2.some((name) => pattern === `${name.split(":")[0]}:*`);
}
