/**
 * Parses messages and authenticates senders in worker threads with time and memory limits. A malicious message can crash
 * a thread, but affects neither the service nor other messages. A message that cannot be parsed is stored unparsed.
 */
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { bulkhead } from "cockatiel";
import { Piscina } from "piscina";
import type { Logger } from "../../platform/observability/logger.ts";
import { toAsciiAddress } from "../ascii-address.ts";
import type { CheckingResult, CheckingTask } from "./checking-thread.ts";
import { type Authentication, type Envelope, type IncomingMessage, uniformAuthentication } from "./incoming-message.ts";
import { createParsingBudget } from "./parsing-budget.ts";
import type { ParsingResult, ParsingTask } from "./parsing-thread.ts";
import type { SpooledMessage } from "./spool.ts";
import { createUnreadableMessage, toOriginalAttachment } from "./unreadable-message.ts";

/** Well above the time for parsing a 35 MB message. */
const PARSING_TIMEOUT_MS = 30_000;
/** Name servers of the sender's domain that do not respond within this time are considered unavailable. */
const CHECKING_TIMEOUT_MS = 15_000;
const PARSING_THREADS = 2;
/** Above the number of messages that all permitted SMTP connections can deliver concurrently. */
const MAX_QUEUED_MESSAGES = 10_000;
/** High, because checks mostly wait for name servers. */
const MAX_CONCURRENT_CHECKS = 64;
/** Heap limit of each thread. Attachments stream to files and are never on the heap. */
const THREAD_MEMORY_MB = 384;
const IDLE_MS = 60_000;

export interface ReadingResult {
  readonly message: IncomingMessage;
  readonly authentication: Authentication;
  /** Number of `Received` fields, one per server that relayed the message. */
  readonly hops: number;
}

export interface MessageReader {
  /**
   * Parses the message and authenticates its sender. Never rejects because of the message's content.
   * @throws {MailRefusedError} temporary, when parsing the host's earlier messages was too slow
   */
  read(spooled: SpooledMessage, envelope: Envelope): Promise<ReadingResult>;
  /**
   * Parses the message only.
   * @throws the message could not be parsed
   */
  parse(spooled: SpooledMessage, envelopeFrom: string): Promise<IncomingMessage>;
  /** Starts the worker threads. The start is slower than parsing a message, so call this method when a client connects. */
  warmUp(): void;
  close(): Promise<void>;
}

/**
 * Creates a reader. Its threads start on first use.
 * @param options.parsingTimeoutMs limit for parsing one message; default 30,000
 */
export function createMessageReader(options: {
  readonly dnsServers: readonly string[];
  readonly hostname: string;
  readonly logger: Logger;
  readonly parsingTimeoutMs?: number;
}): MessageReader {
  const { dnsServers, hostname, logger, parsingTimeoutMs = PARSING_TIMEOUT_MS } = options;
  let pools: Pools | null = null;
  const getPools = () => {
    pools ??= openPools(logger);
    return pools;
  };
  // The timeout of a message starts when a thread is free, so a slow message does not use up the time of the next.
  const parsing = bulkhead(PARSING_THREADS, MAX_QUEUED_MESSAGES);

  const budget = createParsingBudget();

  async function parse(
    spooled: SpooledMessage,
    envelopeFrom: string,
    remoteAddress: string | null = null,
  ): Promise<IncomingMessage> {
    const task = { path: spooled.path, folder: spooled.folder, envelopeFrom };
    const { parsers, isReady } = getPools();
    await isReady;
    const run = async () => {
      const startedMs = performance.now();
      try {
        return await parsers.run(task, { signal: AbortSignal.timeout(parsingTimeoutMs) });
      } catch (error) {
        // The thread may have ended, with its CPU time.
        budget.spend(remoteAddress, performance.now() - startedMs);
        throw error;
      }
    };
    const parsed = await parsing.execute(run);
    if (parsed === null) throw new Error("The parsing thread returned no message.");
    const { message, cpuMs } = parsed;
    budget.spend(remoteAddress, cpuMs);
    if (!message.isTruncated) return message;
    return { ...message, attachments: [...message.attachments, toOriginalAttachment(spooled)] };
  }

  async function check(path: string, envelope: Envelope): Promise<CheckingResult> {
    const unknown = { authentication: uniformAuthentication("temperror"), author: "", hops: 0 };
    const settled = new AbortController();
    try {
      return await Promise.race([
        getPools().checkers.run({ path, envelope, dnsServers, hostname }),
        after(CHECKING_TIMEOUT_MS, unknown, { signal: settled.signal }),
      ]);
    } catch (error) {
      // Caused by the name server, not by the message, so the result is a temporary error (RFC 8601, section 2.7).
      logger.warn({ err: error }, "Sender authentication failed; result recorded as temperror");
      return unknown;
    } finally {
      settled.abort();
    }
  }

  return {
    async read(spooled, envelope) {
      budget.assertLeft(envelope.remoteAddress);
      const checking = check(spooled.path, envelope);
      try {
        const message = await parse(spooled, envelope.from, envelope.remoteAddress);
        const { authentication, author, hops } = await checking;
        return {
          message,
          authentication: matchDmarcToAuthor(message.from.address, authentication, author),
          hops,
        };
      } catch (error) {
        logger.warn({ err: error, sizeBytes: spooled.sizeBytes }, "Message could not be parsed; stored unparsed");
        const { hops } = await checking;
        // The From field was not parsed either, so there is no author to authenticate.
        return {
          message: createUnreadableMessage(spooled, envelope),
          authentication: uniformAuthentication("permerror"),
          hops,
        };
      }
    },
    parse: (spooled, envelopeFrom) => parse(spooled, envelopeFrom),
    warmUp: () => void getPools(),
    async close() {
      await Promise.all([pools?.parsers.destroy(), pools?.checkers.destroy()]);
    },
  };
}

interface Pools {
  readonly parsers: Piscina<ParsingTask | null, ParsingResult | null>;
  /** Resolves when the first parsing thread has loaded its modules, which is slower than parsing a message. */
  readonly isReady: Promise<unknown>;
  readonly checkers: Piscina<CheckingTask, CheckingResult>;
}

function openPools(logger: Logger): Pools {
  const common = {
    minThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    // Environment variables contain secrets. Threads that parse untrusted bytes do not receive them.
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
  };
  const file = (name: string) => join(import.meta.dirname, name);
  const parsers: Pools["parsers"] = new Piscina({
    ...common,
    filename: file("parsing-thread.ts"),
    maxThreads: PARSING_THREADS,
  });
  const pools: Pools = {
    parsers,
    isReady: parsers.run(null).catch(() => {}),
    checkers: new Piscina({
      ...common,
      filename: file("checking-thread.ts"),
      maxThreads: 1,
      concurrentTasksPerWorker: MAX_CONCURRENT_CHECKS,
    }),
  };
  // When a thread exits, the pool rejects the thread's outstanding tasks and starts a new thread.
  for (const pool of [pools.parsers, pools.checkers]) {
    pool.on("error", (error) => logger.warn({ err: error }, "Mail worker thread exited. The pool starts a new thread"));
  }
  return pools;
}

/** Accepts a DMARC pass only if the MIME parser and the DMARC verifier read the same author from `From`; else `permerror`. */
function matchDmarcToAuthor(fromAddress: string, authentication: Authentication, author: string): Authentication {
  if (authentication.dmarcResult !== "pass" || toAsciiAddress(fromAddress) === toAsciiAddress(author))
    return authentication;
  return { ...authentication, dmarcResult: "permerror" };
}
