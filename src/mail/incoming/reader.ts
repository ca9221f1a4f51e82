/**
 * Reads messages in threads of their own, each within a time and a memory: whatever a message does to its reader, it does
 * not do to the service, nor to the next message. One that cannot be read is kept as it came.
 */
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { domainToASCII } from "node:url";
import { bulkhead } from "cockatiel";
import { Piscina } from "piscina";
import type { Logger } from "../../platform/observability/logger.ts";
import type { CheckingResult, CheckingTask } from "./checking-thread.ts";
import { type Authentication, type Envelope, type IncomingMessage, unchecked } from "./incoming-message.ts";
import type { ParsingTask } from "./parsing-thread.ts";
import type { SpooledMessage } from "./spool.ts";
import { unreadableMessage, wholeMessage } from "./unreadable-message.ts";

/** Far longer than 35 MB take. */
const PARSING_TIMEOUT_MS = 30_000;
/** A sender's name servers that are slower than this might as well be away. */
const CHECKING_TIMEOUT_MS = 15_000;
const PARSING_THREADS = 2;
/** More than connections can bring. */
const MAX_WAITING = 10_000;
/** Checks mostly wait for name servers. */
const CHECKS_AT_ONCE = 64;
/** Of each thread's heap; attachments are never in it. */
const THREAD_MEMORY_MB = 384;
const IDLE_MS = 60_000;

export interface ReadingResult {
  readonly message: IncomingMessage;
  readonly authentication: Authentication;
  /** How many servers it came through. */
  readonly hops: number;
}

export interface MessageReader {
  /** Never fails for what is in the message. */
  read(spooled: SpooledMessage, envelope: Envelope): Promise<ReadingResult>;
  /** Loads what reads, which takes longer than reading: to be called when a message may be about to come. */
  warmUp(): void;
  close(): Promise<void>;
}

/** @param options.parsingTimeoutMs how long one message may take; 30 s unless given */
export function createMessageReader(options: {
  readonly dnsServers: readonly string[];
  readonly hostname: string;
  readonly logger: Logger;
  readonly parsingTimeoutMs?: number;
}): MessageReader {
  const { dnsServers, hostname, logger, parsingTimeoutMs = PARSING_TIMEOUT_MS } = options;
  let pools: Pools | null = null;
  const opened = () => {
    pools ??= openPools(logger);
    return pools;
  };
  // A message's time begins when a thread is its own: that another takes long is not its fault.
  const parsing = bulkhead(PARSING_THREADS, MAX_WAITING);

  async function parse(spooled: SpooledMessage, envelopeFrom: string): Promise<IncomingMessage> {
    const folder = join(spooled.folder, "parts");
    const task = { path: spooled.path, folder, envelopeFrom };
    return await parsing.execute(() => opened().parsers.run(task, { signal: AbortSignal.timeout(parsingTimeoutMs) }));
  }

  async function check(path: string, envelope: Envelope): Promise<CheckingResult> {
    const unknown = { authentication: unchecked("temperror"), author: "", hops: 0 };
    const settled = new AbortController();
    try {
      return await Promise.race([
        opened().checkers.run({ path, envelope, dnsServers, hostname }),
        after(CHECKING_TIMEOUT_MS, unknown, { signal: settled.signal }),
      ]);
    } catch (error) {
      // A name server that answers in an unforeseen way says nothing about the message.
      logger.warn({ err: error }, "a sender could not be checked");
      return unknown;
    } finally {
      settled.abort();
    }
  }

  return {
    async read(spooled, envelope) {
      const checking = check(spooled.path, envelope);
      try {
        const message = await parse(spooled, envelope.from);
        const { authentication, author, hops } = await checking;
        const whole = message.isCut
          ? { ...message, attachments: [...message.attachments, wholeMessage(spooled)] }
          : message;
        return { message: whole, authentication: vouchingFor(message.from.address, authentication, author), hops };
      } catch (error) {
        logger.warn({ err: error, sizeBytes: spooled.sizeBytes }, "a message could not be read; it is kept as it came");
        const { hops } = await checking;
        // Who it says it is from was not read either.
        return { message: unreadableMessage(spooled, envelope), authentication: unchecked("permerror"), hops };
      }
    },
    warmUp: () => void opened(),
    async close() {
      await Promise.all([pools?.parsers.destroy(), pools?.checkers.destroy()]);
    },
  };
}

interface Pools {
  readonly parsers: Piscina<ParsingTask, IncomingMessage>;
  readonly checkers: Piscina<CheckingTask, CheckingResult>;
}

function openPools(logger: Logger): Pools {
  const common = {
    minThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    // What strangers write is read beside no secret.
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
  };
  const file = (name: string) => join(import.meta.dirname, name);
  const pools: Pools = {
    parsers: new Piscina({ ...common, filename: file("parsing-thread.ts"), maxThreads: PARSING_THREADS }),
    checkers: new Piscina({
      ...common,
      filename: file("checking-thread.ts"),
      maxThreads: 1,
      concurrentTasksPerWorker: CHECKS_AT_ONCE,
    }),
  };
  // A thread that ends is replaced, and its messages are told.
  for (const pool of [pools.parsers, pools.checkers]) {
    pool.on("error", (error) => logger.warn({ err: error }, "a thread that reads mail ended"));
  }
  return pools;
}

/** DMARC vouches for the author that readers are shown, or for nobody: two parsers may disagree on who that is. */
function vouchingFor(shown: string, authentication: Authentication, author: string): Authentication {
  const ascii = (address: string) => {
    const at = address.lastIndexOf("@");
    return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`.toLowerCase();
  };
  if (authentication.dmarcResult !== "pass" || ascii(shown) === ascii(author)) return authentication;
  return { ...authentication, dmarcResult: "permerror" };
}
