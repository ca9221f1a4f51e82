/** Two versions of the service in one run: `--against=<folder>` names another checkout, installed, of this repository. */
import { basename } from "node:path";
import type { Bench, BenchEnvironment, OpenBench } from "./bench.ts";
import { inCheckout } from "./child.ts";

/** The bench with the service's subjects of both checkouts, each compared with itself. */
export async function openAgainst(bench: Bench, environment: BenchEnvironment, folder: string): Promise<OpenBench> {
  const own = await bench.open(environment);
  const close = async (other?: OpenBench) => {
    await own.close();
    await other?.close();
  };
  try {
    const other = await inCheckout(folder, () => bench.open(environment));
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
