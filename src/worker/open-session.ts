/** Opens the browser context of one order, with all that watches over it, and makes the session that it is driven by. */
import type { Page } from "playwright-core";
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../checkout/worker-protocol/recipe.ts";
import type { Logger } from "../platform/observability/logger.ts";
import type { WorkerBrowser } from "./browser.ts";
import { recordTraffic } from "./evidence/har.ts";
import { maskField, maskNow, maskPages } from "./evidence/mask.ts";
import { createRecorder, type Recorder } from "./evidence/record.ts";
import { createRedactor, type Redactor } from "./evidence/redact.ts";
import type { Hold } from "./lease.ts";
import { createLiveView, type LiveView } from "./live/live-view.ts";
import { createRequiredActionReporter } from "./required-action.ts";
import type { ServiceClient, ToldArtifact } from "./service-client.ts";
import { LeaseLostError, type WorkerSession } from "./session.ts";

export interface OpenSession<Job extends WorkerJob> {
  readonly session: WorkerSession<Job>;
  readonly live: LiveView;
  readonly recorder: Recorder;
  readonly redactor: Redactor;
  /** Puts what the pages asked for among the evidence. */
  keepTraffic(): void;
  /** Ends all that the pages do. */
  close(): Promise<void>;
}

export interface SessionDeps {
  readonly client: ServiceClient;
  readonly browser: Pick<WorkerBrowser, "openContext" | "version">;
  readonly logger: Logger;
}

/** The shop's page, its bank's and its terms; more windows are a page run wild. */
const MAX_PAGES = 4;
const SCREENSHOT_MS = 3_000;
const MASK_MS = 1_000;
const LONGEST_ACTION = 200;
const LONGEST_TEXT = 500;

export async function openSession<Job extends WorkerJob>(
  { client, browser, logger }: SessionDeps,
  job: Job,
  hold: Hold,
): Promise<OpenSession<Job>> {
  const { lease } = job;
  const { signal } = hold;
  const context = await browser.openContext();
  const redactor = createRedactor();
  const telling = { client, lease, logger, onLeaseLost: hold.giveUp };
  const recorder = createRecorder(telling);
  const person = createRequiredActionReporter(telling);
  await maskPages(context, shopOriginsOf(job));
  const traffic = recordTraffic(context, redactor);
  const page = await context.newPage();
  const live = createLiveView(page);
  let isCardOut = false;

  context.on("close", () => hold.giveUp(new Error("The browser is gone.")));
  page.on("crash", () => hold.giveUp(new Error("The page crashed.")));
  context.on("page", (opened) => {
    if (context.pages().length > MAX_PAGES) void opened.close().catch(() => {});
  });
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) void uncover();
  });

  /** Once the card is submitted the page may be seen again, with all that could show the card masked. */
  async function uncover(options: { readonly evenUnmasked?: boolean } = {}): Promise<void> {
    if (!isCardOut || !hold.isSubmitted || !live.isHidden) return;
    if ((await maskNow(page, MASK_MS)) || options.evenUnmasked) await live.show("card");
  }

  async function takePicture(): Promise<ToldArtifact | null> {
    if (live.isHidden || (isCardOut && !(await maskNow(page, MASK_MS)))) return null;
    const shot = { type: "jpeg", quality: 70, scale: "css", timeout: SCREENSHOT_MS } as const;
    const bytes = await page.screenshot(shot).catch(() => null);
    // Hidden meanwhile: it may show what nobody is to see.
    if (!bytes || live.isHidden) return null;
    return {
      kind: "screenshot",
      contentType: "image/jpeg",
      redactions: ["card_fields"],
      bytes: Uint8Array.from(bytes),
    };
  }

  const session: WorkerSession<Job> = {
    ...{ job, page, context, signal },
    async step(action, { selector, outcome, screenshot = false }) {
      const at = new Date().toISOString();
      await uncover();
      const clean = (text: string, longest: number) => redactor.clean(text).text.slice(0, longest);
      const told = {
        ...{ at, action: clean(action, LONGEST_ACTION), outcome: clean(outcome, LONGEST_TEXT) },
        selector: selector === undefined ? null : clean(selector, LONGEST_TEXT),
        urlOrigin: originOf(page),
      };
      recorder.add(told, screenshot ? await takePicture() : null);
    },
    async releaseCard() {
      signal.throwIfAborted();
      // Before it is asked for: what was seen until then shows nothing of it.
      isCardOut = true;
      await live.hide("card");
      try {
        const card = await client.releaseCard(lease);
        redactor.hide(card);
        return card;
      } catch (error) {
        if (error instanceof LeaseLostError) hold.giveUp(error);
        throw error;
      }
    },
    submitting: () => hold.submit(),
    async personNeeded(what, waitMs) {
      if (what === "three_d_secure") await uncover({ evenUnmasked: true });
      live.need(what);
      const ms = waitMs === undefined ? null : Math.max(0, Math.round(waitMs));
      if (hold.isSubmitted) person.tell(what, ms);
      else await client.tellPersonNeeded(lease, what, ms);
    },
    async securityCode() {
      await live.hide("security_code");
      try {
        await session.personNeeded("security_code", hold.leftMs);
        const code = await live.securityCode(signal);
        redactor.hide({ securityCode: code });
        return code;
      } finally {
        await session.personNeeded(null).catch(() => {});
        await live.show("security_code");
      }
    },
    maskField,
    async pauseStream(whileDoing) {
      const reason = `working ${performance.now()}`;
      await live.hide(reason);
      try {
        await whileDoing();
      } finally {
        await live.show(reason);
      }
    },
  };

  return {
    ...{ session, live, recorder, redactor },
    keepTraffic() {
      const archive = traffic.archive(browser.version);
      if (archive) recorder.keep({ kind: "har", contentType: "application/json", ...archive });
    },
    async close() {
      person.stop();
      await live.end();
      await context.close().catch(() => {});
    },
  };
}

/** Where the shop's own forms are; fields anywhere else are shown as dots, whatever they are for. */
function shopOriginsOf(job: WorkerJob): string[] {
  const recipe = job.recipe?.definition as Partial<RecipeDefinition> | undefined;
  const addresses = job.kind === "purchase" ? [job.merchant.url, job.basketUrl] : [job.request.merchantUrl];
  const origins = [...addresses, ...(recipe?.checkoutOrigins ?? [])].map((address) => URL.parse(address ?? "")?.origin);
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

function originOf(page: Page): string | null {
  const origin = URL.parse(page.url())?.origin;
  return origin === undefined || origin === "null" ? null : origin.slice(0, LONGEST_TEXT);
}
