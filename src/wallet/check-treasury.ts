/** Recurring check of the treasury's funds, with a signal when they become low. */
import type { Database } from "../platform/database/connection.ts";
import type { QueueEmail } from "../platform/email/email-queue.ts";
import { formatDecimal } from "../platform/money.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { Metrics } from "../platform/observability/metrics.ts";
import { findNetwork, NETWORKS, type Network, USDC_DECIMALS } from "./networks.ts";
import { readTreasuryFunds, type TreasuryDeps, type TreasuryFunds } from "./treasury.ts";

export interface TreasuryCheckDeps extends TreasuryDeps {
  readonly db: Database;
  readonly logger: Logger;
  readonly queueEmail: QueueEmail;
  readonly adminEmails: readonly string[];
  readonly dashboardUrl: string;
}

/**
 * Stores the treasury's funds on each network. When they become low, logs a warning and queues an email to the administrators,
 * once until they are sufficient again. A network that does not respond is skipped.
 */
export async function checkTreasury(deps: TreasuryCheckDeps): Promise<void> {
  for (const network of deps.chains.networks) {
    try {
      await checkFunds(deps, await readTreasuryFunds(deps, network));
    } catch (error) {
      deps.logger.warn({ err: error, network }, "Treasury funds not read; retried by the next run");
    }
  }
}

async function checkFunds(deps: TreasuryCheckDeps, funds: TreasuryFunds): Promise<void> {
  const { network, nativeAtomic, usdcAtomic, isLow } = funds;
  const { treasuryLevel } = deps.db.prisma;
  const levels = { nativeAtomic: nativeAtomic.toString(), usdcAtomic: usdcAtomic.toString(), checkedAt: new Date() };
  await treasuryLevel.createMany({ data: [{ network, ...levels, isLow: false }], skipDuplicates: true });
  // Of nodes that check concurrently, one makes the change.
  const { count } = await treasuryLevel.updateMany({ where: { network, isLow: !isLow }, data: { ...levels, isLow } });
  if (count === 0) return void (await treasuryLevel.updateMany({ where: { network }, data: levels }));
  const log = { network, address: funds.address, nativeAtomic: String(nativeAtomic), usdcAtomic: String(usdcAtomic) };
  if (!isLow) return deps.logger.info(log, "Treasury funds are sufficient again");
  deps.logger.warn(log, "Treasury funds are low");
  for (const to of deps.adminEmails) {
    await deps
      .queueEmail({ to, ...renderLowFunds(funds, deps.dashboardUrl) })
      .catch((error: unknown) => deps.logger.error({ err: error }, "Email about low treasury funds was not queued"));
  }
}

function renderLowFunds(
  { network: name, address, nativeAtomic, usdcAtomic, lowNativeAtomic, lowUsdcAtomic }: TreasuryFunds,
  dashboardUrl: string,
) {
  const network: Network = NETWORKS[name];
  const native = (atomic: bigint) => `${formatDecimal(atomic, network.nativeDecimals)} ${network.nativeSymbol}`;
  const usdc = (atomic: bigint) => `${formatDecimal(atomic, USDC_DECIMALS, 2)} USDC`;
  return {
    subject: `The treasury's funds on ${name} are low`,
    text: [
      `Address: ${address}`,
      `Balance: ${native(nativeAtomic)}; low below ${native(lowNativeAtomic)}`,
      `Balance: ${usdc(usdcAtomic)}; low below ${usdc(lowUsdcAtomic)}`,
      "",
      "The treasury pays network fees, agent registrations and free credit. Without funds they fail or wait. Send funds to this address.",
      "",
      `${dashboardUrl}/admin`,
      "",
    ].join("\n"),
  };
}

/** Registers gauges of the funds at the last check. They are queried at every scrape. */
export function registerTreasuryMetrics(metrics: Metrics, db: Database): void {
  type Level = Awaited<ReturnType<typeof db.prisma.treasuryLevel.findMany>>[number];
  const gauge = (name: string, help: string, pick: (level: Level) => number) =>
    metrics.gauge(name, help, ["network"], async () => {
      const levels = await db.prisma.treasuryLevel.findMany();
      return levels.map((level) => ({ labels: { network: level.network }, value: pick(level) }));
    });
  gauge("satchel_treasury_native", "Native coins of the treasury at the last check.", ({ network, nativeAtomic }) =>
    nativeAtomic.div(10 ** (findNetwork(network)?.nativeDecimals ?? 0)).toNumber(),
  );
  gauge("satchel_treasury_usdc", "USDC of the treasury at the last check.", ({ usdcAtomic }) =>
    usdcAtomic.div(10 ** USDC_DECIMALS).toNumber(),
  );
  gauge("satchel_treasury_low", "1 if the treasury's funds are below a threshold, else 0.", ({ isLow }) =>
    isLow ? 1 : 0,
  );
}
