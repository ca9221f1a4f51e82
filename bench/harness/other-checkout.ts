/**
 * Comparison of two versions of the service. `--against=<folder>` names another checkout of this repository, with its packages
 * installed.
 */
import { basename } from "node:path";
import type { Bench, BenchEnvironment, OpenBench } from "./bench.ts";
import { runWithCheckout } from "./child.ts";

/** Opens the benchmark for both checkouts. Compares each program of the service with its counterpart from the other checkout. */
export async function openWithOtherCheckout(
  bench: Bench,
  environment: BenchEnvironment,
  folder: string,
): Promise<OpenBench> {
  const own = await bench.open(environment);
  const close = async (other?: OpenBench) => {
    await own.close();
    await other?.close();
  };
  try {
    const other = await runWithCheckout(folder, () => bench.open(environment));
    const nameOfOther = (name: string) => `${name}, ${basename(folder)}`;
    const services = other.subjects.filter(({ process }) => process.isService);
    return {
      ...own,
      subjects: own.subjects.flatMap((subject) => {
        const counterpart = services.find(({ name }) => name === subject.name);
        return counterpart ? [subject, { ...counterpart, name: nameOfOther(counterpart.name) }] : [subject];
      }),
      comparisons: [...services.map(({ name }) => ({ subject: name, against: nameOfOther(name) })), ...own.comparisons],
      close: () => close(other),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
