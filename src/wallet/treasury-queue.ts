import type { NetworkName } from "./networks.ts";

/** `person`: somebody waits for the result. `service`: background work, such as charges. */
export type TreasuryQueuePriority = "person" | "service";

interface TreasuryQueue {
  isRunning: boolean;
  readonly person: (() => Promise<void>)[];
  readonly service: (() => Promise<void>)[];
}

const queues = new Map<NetworkName, TreasuryQueue>();

/**
 * Runs this node's work with a network's treasury one after the other, `person` before `service`, each in order of arrival.
 * Transactions of one sender carry consecutive nonces, so each is sent before the next chooses its own. Other nodes do not wait:
 * `work` must survive another node using its nonce.
 */
export async function runInTreasuryQueue<Result>(
  network: NetworkName,
  priority: TreasuryQueuePriority,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let queue = queues.get(network);
  if (!queue) {
    queue = { isRunning: false, person: [], service: [] };
    queues.set(network, queue);
  }
  queue[priority].push(async () => {
    try {
      resolve(await work());
    } catch (error) {
      reject(error);
    }
  });
  void run(queue);
  return await promise;
}

async function run(queue: TreasuryQueue): Promise<void> {
  if (queue.isRunning) return;
  queue.isRunning = true;
  for (;;) {
    const next = queue.person.shift() ?? queue.service.shift();
    if (!next) break;
    await next();
  }
  queue.isRunning = false;
}
