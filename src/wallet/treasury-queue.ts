import type { NetworkName } from "./networks.ts";

/** Whether a person waits for it, or only this service: what it is owed, and what it does in the background. */
export type TreasuryQueuePriority = "person" | "service";

interface TreasuryQueue {
  isMoving: boolean;
  readonly person: (() => Promise<void>)[];
  readonly service: (() => Promise<void>)[];
}

const lines = new Map<NetworkName, TreasuryQueue>();

/**
 * Does `work` when no other is done with the treasury on that network by this node: transactions of one sender carry
 * consecutive nonces, so one is chosen and sent before the next. First come, first served, people before the service: however
 * many charges wait, they hold up nobody's withdrawal. Other nodes do not wait: whoever sends must bear losing its nonce.
 */
export async function runInTreasuryQueue<Result>(
  network: NetworkName,
  turnFor: TreasuryQueuePriority,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let line = lines.get(network);
  if (!line) {
    line = { isMoving: false, person: [], service: [] };
    lines.set(network, line);
  }
  line[turnFor].push(async () => {
    try {
      resolve(await work());
    } catch (error) {
      reject(error);
    }
  });
  void move(line);
  return await promise;
}

async function move(line: TreasuryQueue): Promise<void> {
  if (line.isMoving) return;
  line.isMoving = true;
  for (;;) {
    const next = line.person.shift() ?? line.service.shift();
    if (!next) break;
    await next();
  }
  line.isMoving = false;
}
