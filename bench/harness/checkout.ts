/** Two versions of the service in one run: `--against=<folder>` names another checkout, installed, of this repository. */
import { AsyncLocalStorage } from "node:async_hooks";
import { basename, join } from "node:path";
import type { Bench, BenchEnvironment, OpenBench } from "./bench.ts";

const SERVERS = join(import.meta.dirname, "../servers");
const folders = new AsyncLocalStorage<string>();

/** Where a program of a bench is read from. Only the service is taken from another checkout: the baselines are the same for both. */
export function serversFolder(isService: boolean): string {
  const folder = folders.getStore();
  return isService && folder !== undefined ? join(folder, "bench/servers") : SERVERS;
}

/** The bench with the service's subjects of both checkouts, each compared with itself. */
export async function openAgainst(bench: Bench, environment: BenchEnvironment, folder: string): Promise<OpenBench> {
  const own = await bench.open(environment);
  const close = async (other?: OpenBench) => {
    await own.close();
    await other?.close();
  };
  try {
    const other = await folders.run(folder, () => bench.open(environment));
    const named = (name: string) => `${name}, ${basename(folder)}`;
    const services = other.subjects.filter(({ process }) => process.isService);
    return {
      ...own,
      subjects: own.subjects.flatMap((subject) => {
        const same = services.find(({ name }) => name === subject.name);
        return same ? [subject, { ...same, name: named(same.name) }] : [subject];
      }),
      comparisons: [...services.map(({ name }) => ({ subject: name, against: named(name) })), ...own.comparisons],
      close: () => close(other),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
