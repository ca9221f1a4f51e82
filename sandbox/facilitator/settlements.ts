import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A settled payment. Amounts in the asset's smallest unit; `settledAt` in ISO 8601. */
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

/** The facilitator's settlements, newest last, stored in `settlements.jsonl`. */
export interface Settlements {
  add(settlement: Settlement): void;
  list(): readonly Settlement[];
}

const MAX_LISTED = 10_000;

export function openSettlements(dataDir: string): Settlements {
  const file = join(dataDir, "settlements.jsonl");
  const all = read(file).slice(-MAX_LISTED);
  return {
    add(settlement) {
      appendFileSync(file, `${JSON.stringify(settlement)}\n`);
      all.push(settlement);
      if (all.length > MAX_LISTED) all.shift();
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
      return []; // An incomplete last line, from a process killed while writing.
    }
  });
}
