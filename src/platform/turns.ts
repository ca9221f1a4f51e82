/** Does `work` once fewer than `atOnce` others of the same key are under way in this process; first come, first served. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lines of what would wait in the database for a row that another of the same key holds: there each would wait in a connection,
 * and one account that does much at once would have them all. With two at once, one can work while the next is there already.
 */
export function createTurns(atOnce = 2): InTurn {
  const lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running < atOnce) line.running++;
    else await new Promise<void>((resolve) => line.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      // Who waited longest takes the place over.
      if (next) next();
      else if (--line.running === 0) lines.delete(key);
    }
  };
}
