/** Puts orders together: what workers speak to, and the job that ends what nobody drives. */
import type { FastifyInstance } from "fastify";
import type { OrderDeps } from "../checkout/orders/deps.ts";
import { signEvidence } from "../checkout/orders/evidence.ts";
import { sweepOrders } from "../checkout/orders/sweep-orders.ts";
import { registerWorkerProtocol } from "../checkout/worker-protocol/routes.ts";
import type { Config } from "../platform/config.ts";
import type { Jobs } from "../platform/jobs.ts";
import { readWorkerToken } from "../platform/worker-token.ts";

const SWEEP_INTERVAL_MS = 5_000;

type Deps = Omit<OrderDeps, "checkoutTimeoutMs">;

const orderDeps = ({ CHECKOUT_TIMEOUT_MS: checkoutTimeoutMs }: Config, deps: Deps): OrderDeps => ({
  ...{ db: deps.db, pubsub: deps.pubsub, keks: deps.keks },
  checkoutTimeoutMs,
});

export async function registerOrders(app: FastifyInstance, config: Config, deps: Deps): Promise<void> {
  registerWorkerProtocol(app, orderDeps(config, deps), await readWorkerToken(config));
}

/** Once the service listens: evidence names the address its keys are published at. */
export async function startOrderJobs(
  jobs: Jobs,
  config: Config,
  deps: Deps & Parameters<typeof signEvidence>[0],
): Promise<void> {
  const sweep = orderDeps(config, deps);
  await jobs.repeat("sweep-checkout-orders", SWEEP_INTERVAL_MS, async () => {
    await sweepOrders(sweep);
    await signEvidence(deps);
  });
}
