import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One payment that reached a chain. Amounts in the asset's smallest unit; `settledAt` ISO 8601. */
interface Settlement {
  transaction: string;
  network: string;
  scheme: string;
  x402Version: number;
  payer: string;
  payTo: string;
  asset: string;
  amountAtomic: string;
  settledAt: string;
}

/** What the facilitator settled, newest last, kept in `settlements.jsonl` across restarts. */
export interface Settlements {
  add(settlement: Settlement): void;
  list(): readonly Settlement[];
}

const KEPT = 10_000;

export function openSettlements(dataDir: string): Settlements {
  const file = join(dataDir, "settlements.jsonl");
  const all = read(file).slice(-KEPT);
  return {
    add(settlement) {
      appendFileSync(file, `${JSON.stringify(settlement)}\n`);
      all.push(settlement);
      if (all.length > KEPT) all.shift();
    },
    list: () => all,
  };
}

function read(file: string): Settlement[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Settlement];
    } catch {
      return []; // the last line of a process that was killed while writing
    }
  });
}
