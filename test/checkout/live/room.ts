/** The whole service, orders that are driven by a worker of the test's own, and those who watch them. */
import { expect } from "vitest";
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { beginSession } from "../../../src/accounts/sessions.ts";
import { liveViewUrl } from "../../../src/checkout/live/live-view-url.ts";
import { publishOrder } from "../../../src/checkout/orders/order-events.ts";
import { type Cause, moveOrder } from "../../../src/checkout/orders/states.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";
import { SESSION_COOKIE } from "../../support/visitor.ts";
import { addOrder } from "../orders/orders.ts";
import { WORKER_TOKEN } from "../orders/worker.ts";
import { type LiveWorker, startLiveWorker } from "./live-worker.ts";
import { streamUrl, type Watcher, watch } from "./watcher.ts";

export interface LiveRoom {
  readonly stack: OwnStack;
  readonly account: TestAccount;
  /** The one that orders made from now on are driven by. */
  startWorker(port?: number): Promise<LiveWorker>;
  /** An order on its way. */
  driven(data?: Parameters<typeof addOrder>[2]): Promise<CheckoutOrder>;
  /** Moves an order and announces it. */
  move(order: CheckoutOrder, cause: Cause, options?: Parameters<typeof moveOrder>[3]): Promise<void>;
  /** Its stream, signed. */
  urlOf(order: CheckoutOrder, mayAct?: boolean): Promise<string>;
  /** Watches, with the worker's line open. */
  watching(url: string, headers?: Record<string, string>): Promise<Watcher>;
  /** Asks to watch. */
  tried(url: string, headers?: Record<string, string>): Watcher;
  /** The headers of a browser in which the account is signed in. */
  sessionOf(accountId: string): Promise<Record<string, string>>;
  /** Ends the worker, and all that was watched. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function openLiveRoom(onLog: (line: string) => void): Promise<LiveRoom> {
  const stack = await startStack({ env: { WORKER_TOKEN }, onLog });
  const account = await stack.account();
  const { db, pubsub } = stack.service.deps;
  const watchers: Watcher[] = [];
  let worker: LiveWorker | null = null;

  const room: LiveRoom = {
    stack,
    account,
    async startWorker(port = 0) {
      worker = await startLiveWorker({ token: WORKER_TOKEN, port });
      return worker;
    },
    driven(data = {}) {
      const lease = { workerJobId: newId("wjb"), leasedUntil: new Date(Date.now() + 60_000) };
      const run = { status: "dispatched", startedAt: new Date(), workerUrl: worker?.url ?? null, ...lease };
      return addOrder(db, account.accountId, { ...run, ...data });
    },
    async move({ id }, cause, options) {
      const moved = await moveOrder(db.prisma, id, cause, options);
      if (!moved) throw new Error(`The order did not move: ${cause}.`);
      publishOrder(pubsub, moved);
    },
    urlOf: async (order, mayAct = false) =>
      streamUrl(stack.baseUrl, await liveViewUrl(stack.service.deps, order, { mayAct })),
    async watching(url, headers = {}) {
      const opened = worker?.opened ?? 0;
      const watcher = room.tried(url, headers);
      await expect.poll(() => worker?.opened).toBe(opened + 1);
      return watcher;
    },
    tried(url, headers = {}) {
      const watcher = watch(url, headers);
      watchers.push(watcher);
      return watcher;
    },
    async sessionOf(accountId) {
      const browser = { ip: null, userAgent: "test" };
      const secret = await beginSession({ db, pubsub }, { accountId, method: "email_code" }, browser);
      return { cookie: `${SESSION_COOKIE}=${secret}`, origin: new URL(stack.baseUrl).origin };
    },
    async clear() {
      for (const { socket } of watchers.splice(0)) socket.terminate();
      await worker?.stop();
      worker = null;
    },
    stop: () => stack.stop(),
  };
  return room;
}
