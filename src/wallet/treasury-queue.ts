import type { NetworkName } from "./networks.ts";

/** `person`: a client waits for the result. `service`: background work, such as charges. */
export type TreasuryQueuePriority = "person" | "service";

interface TreasuryQueue {
  isRunning: boolean;
  readonly person: (() => Promise<void>)[];
  readonly service: (() => Promise<void>)[];
}

const queues = new Map<NetworkName, TreasuryQueue>();

/**
 * Serialises this node's work with the treasury of a network: `person` before `service`, each in order of arrival. The
 * transactions of one sender need consecutive nonces, so each is sent before the next selects its nonce. Other nodes are not
 * excluded: `work` must handle the case that another node uses its nonce.
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
  void drain(queue);
  return await promise;
}

async function drain(queue: TreasuryQueue): Promise<void> {
  if (queue.isRunning) return;
  queue.isRunning = true;
  for (;;) {
    const next = queue.person.shift() ?? queue.service.shift();
    if (!next) break;
    await next();
  }
  queue.isRunning = false;
}
