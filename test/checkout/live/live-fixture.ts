/** Fixture for live view tests: the service, a test worker that processes its orders, and clients of their streams. */
import { expect } from "vitest";
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { beginSession } from "../../../src/accounts/sessions.ts";
import { createLiveViewUrl } from "../../../src/checkout/live/live-view-url.ts";
import { publishOrder } from "../../../src/checkout/orders/order-events.ts";
import { type Cause, transitionOrder } from "../../../src/checkout/orders/states.ts";
import { newId } from "../../../src/platform/ids.ts";
import { SESSION_COOKIE } from "../../support/browser-client.ts";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";
import { addOrder } from "../orders/order-rows.ts";
import { WORKER_TOKEN } from "../orders/worker-client.ts";
import { type LiveWorker, startLiveWorker } from "./live-worker.ts";
import { openStreamClient, type StreamClient, streamUrl } from "./stream-client.ts";

export interface LiveFixture {
  readonly stack: OwnStack;
  readonly account: TestAccount;
  /** Starts the worker of the orders that are added after this call. */
  startWorker(port?: number): Promise<LiveWorker>;
  /** Adds an order. By default it is dispatched and leased to the worker. */
  addDrivenOrder(data?: Parameters<typeof addOrder>[2]): Promise<CheckoutOrder>;
  /** Transitions an order and publishes the change. */
  transition(order: CheckoutOrder, cause: Cause, options?: Parameters<typeof transitionOrder>[3]): Promise<void>;
  /** Returns the signed URL of an order's stream. */
  createStreamUrl(order: CheckoutOrder, mayAct?: boolean): Promise<string>;
  /** Connects and waits until the worker's connection is open. */
  connectToWorker(url: string, headers?: Record<string, string>): Promise<StreamClient>;
  /** Connects without waiting for the worker's connection. */
  connect(url: string, headers?: Record<string, string>): StreamClient;
  /** Creates a session of the account and returns the request headers of its browser. */
  createSessionHeaders(accountId: string): Promise<Record<string, string>>;
  /** Stops the worker and closes all stream clients. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export async function openLiveFixture(onLog: (line: string) => void): Promise<LiveFixture> {
  const stack = await startStack({ env: { WORKER_TOKEN }, onLog });
  const account = await stack.account();
  const { db, pubsub } = stack.service.deps;
  const clients: StreamClient[] = [];
  let worker: LiveWorker | null = null;

  const fixture: LiveFixture = {
    stack,
    account,
    async startWorker(port = 0) {
      worker = await startLiveWorker({ token: WORKER_TOKEN, port });
      return worker;
    },
    addDrivenOrder(data = {}) {
      const lease = { workerJobId: newId("wjb"), leasedUntil: new Date(Date.now() + 60_000) };
      const run = { status: "dispatched", startedAt: new Date(), workerUrl: worker?.url ?? null, ...lease };
      return addOrder(db, account.accountId, { ...run, ...data });
    },
    async transition({ id }, cause, options) {
      const updated = await transitionOrder(db.prisma, id, cause, options);
      if (!updated) throw new Error(`The order was not transitioned: ${cause}.`);
      publishOrder(pubsub, updated);
    },
    createStreamUrl: async (order, mayAct = false) =>
      streamUrl(stack.baseUrl, await createLiveViewUrl(stack.service.deps, order, { mayAct })),
    async connectToWorker(url, headers = {}) {
      const connectionsBefore = worker?.connectionCount ?? 0;
      const client = fixture.connect(url, headers);
      await expect.poll(() => worker?.connectionCount).toBe(connectionsBefore + 1);
      return client;
    },
    connect(url, headers = {}) {
      const client = openStreamClient(url, headers);
      clients.push(client);
      return client;
    },
    async createSessionHeaders(accountId) {
      const browser = { ip: null, userAgent: "test" };
      const secret = await beginSession({ db, pubsub }, { accountId, method: "email_code" }, browser);
      return { cookie: `${SESSION_COOKIE}=${secret}`, origin: new URL(stack.baseUrl).origin };
    },
    async reset() {
      for (const { socket } of clients.splice(0)) socket.terminate();
      await worker?.stop();
      worker = null;
    },
    stop: () => stack.stop(),
  };
  return fixture;
}
