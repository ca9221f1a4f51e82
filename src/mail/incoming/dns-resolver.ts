/** Looks up what the checks of a sender ask the DNS for, and remembers it for a minute: mail comes in bursts. */
import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const KEPT_MS = 60_000;
const KEPT_ANSWERS = 5_000;
/** What a failed server answers is asked again sooner. */
const KEPT_FAILURE_MS = 5_000;
const NO_SUCH_RECORD = new Set(["ENOTFOUND", "ENODATA"]);

export type ResolveDns = (domain: string, type: string) => Promise<string[] | string[][]>;

/** @param servers such as `127.0.0.1:53`; none: this machine's own */
export function createDnsResolver(servers: readonly string[]): ResolveDns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers([...servers]);
  const answers = new LRUCache<string, Promise<string[] | string[][]>>({ max: KEPT_ANSWERS, ttl: KEPT_MS });
  return (domain, type) => {
    const key = `${type} ${domain.toLowerCase()}`;
    const known = answers.get(key);
    if (known) return known;
    const answer = resolver.resolve(domain, type) as Promise<string[] | string[][]>;
    answers.set(key, answer);
    answer.catch((error: NodeJS.ErrnoException) => {
      if (!NO_SUCH_RECORD.has(error.code ?? "")) answers.set(key, answer, { ttl: KEPT_FAILURE_MS });
    });
    return answer;
  };
}
