/** Explores merchants without a service, in contexts of the production browser. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright-core";
import type { ExplorationJob } from "../../src/checkout/worker-protocol/job.ts";
import { TIMING } from "../../src/worker/checkout/ending.ts";
import { driveExploration } from "../../src/worker/explore/drive-exploration.ts";
import type { DriveResult, WorkerSession } from "../../src/worker/session.ts";
import { openSeparateContext } from "./separate-context.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

export interface ExploreOptions {
  readonly signal?: AbortSignal;
  readonly withinMs?: number;
  readonly navigationMs?: number;
  /** Called with the session's context before the exploration starts. */
  readonly onContext?: (context: BrowserContext) => Promise<void>;
}

export type Explored = DriveResult & {
  readonly steps: readonly string[];
  /** Requests other than GET, with their bodies. */
  readonly posted: readonly string[];
};

export interface ExploreFixture {
  readonly browser: SharedWorkerBrowser;
  explore(merchantUrl: string, goal?: string, options?: ExploreOptions): Promise<Explored>;
  /** Starts a site and returns its URL. */
  startSite(listener: RequestListener): Promise<string>;
  /** Closes the sites. */
  close(): void;
}

const rejectPurchaseCall = () => Promise.reject(new Error("An exploration made a call for purchases."));

export async function openExploreFixture(): Promise<ExploreFixture> {
  const browser = await sharedWorkerBrowser();
  const servers: Server[] = [];

  async function explore(merchantUrl: string, goal = "anything", options: ExploreOptions = {}): Promise<Explored> {
    const { signal = new AbortController().signal, withinMs = 50_000, navigationMs = 15_000 } = options;
    const context = await browser.openContext();
    await options.onContext?.(context);
    const steps: string[] = [];
    const posted: string[] = [];
    context.on("request", (request) => {
      if (request.method() !== "GET")
        posted.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ""}`);
    });
    const job: ExplorationJob = {
      ...{ lease: "wjb_test", leasedForMs: 30_000, timeoutMs: 180_000, orderId: "ord_test" },
      ...{ recipe: null, merchant: null },
      ...{ kind: "explored", request: { merchantUrl, goal, prefs: null, currency: null } },
    };
    const session: WorkerSession<ExplorationJob> = {
      ...{ job, context, signal, page: await context.newPage() },
      step: async (action, { outcome }) => void steps.push(`${action}: ${outcome}`),
      ...{
        releaseCard: rejectPurchaseCall,
        recordSubmission: rejectPurchaseCall,
        ask: rejectPurchaseCall,
        setRequiredAction: rejectPurchaseCall,
        setChallengeFrame: rejectPurchaseCall,
        securityCode: rejectPurchaseCall,
        maskField: rejectPurchaseCall,
        pauseStream: rejectPurchaseCall,
      },
      withSeparateContext: openSeparateContext(browser),
    };
    try {
      const result = await driveExploration(session, { timing: { ...TIMING, navigationMs }, withinMs });
      return { ...result, steps, posted };
    } finally {
      await context.close();
    }
  }

  return {
    ...{ browser, explore },
    async startSite(listener) {
      const server = createServer(listener).listen(0, "127.0.0.1");
      servers.push(server);
      await new Promise((resolve) => server.once("listening", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
