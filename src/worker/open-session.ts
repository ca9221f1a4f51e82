/** Opens the browser context of one order, with evidence, masking and live view, and creates the session for its driver. */
import type { BrowserContext, Page } from "playwright-core";
import type { WorkerJob } from "../checkout/worker-protocol/job.ts";
import type { Logger } from "../platform/observability/logger.ts";
import { askOwner } from "./ask-owner.ts";
import type { WorkerBrowser } from "./browser.ts";
import { recordTraffic } from "./evidence/har.ts";
import { maskField, maskNow, maskPages } from "./evidence/mask.ts";
import { createRecorder, type Recorder } from "./evidence/record.ts";
import { createRedactor, type Redactor } from "./evidence/redact.ts";
import type { ActiveLease } from "./lease.ts";
import { createLiveView, type LiveView } from "./live/live-view.ts";
import { createPartyOf } from "./live/page-party.ts";
import { createRequiredActionReporter } from "./required-action.ts";
import type { ArtifactUpload, ServiceClient } from "./service-client.ts";
import { LeaseLostError, type WorkerSession } from "./session.ts";

export interface OpenSession<Job extends WorkerJob> {
  readonly session: WorkerSession<Job>;
  readonly live: LiveView;
  readonly recorder: Recorder;
  readonly redactor: Redactor;
  /** Adds the recorded network traffic to the evidence as a HAR archive. */
  recordHar(): void;
  /** Stops reporting, ends the live view and closes the context. */
  close(): Promise<void>;
}

export interface SessionDeps {
  readonly client: ServiceClient;
  readonly browser: Pick<WorkerBrowser, "openContext" | "version">;
  readonly logger: Logger;
}

/** Maximum number of open pages: those of the merchant, the bank and the terms, and one more. Additional pages are closed. */
const MAX_PAGES = 4;
const SCREENSHOT_MS = 3_000;
const MASK_MS = 1_000;
const MAX_ACTION_LENGTH = 200;
const MAX_TEXT_LENGTH = 500;

export async function openSession<Job extends WorkerJob>(
  { client, browser, logger }: SessionDeps,
  job: Job,
  activeLease: ActiveLease,
): Promise<OpenSession<Job>> {
  const { lease } = job;
  const { signal } = activeLease;
  const context = await browser.openContext();
  const redactor = createRedactor();
  const reporterOptions = { client, lease, logger, onLeaseLost: activeLease.giveUp };
  const recorder = createRecorder(reporterOptions);
  const actionReporter = createRequiredActionReporter(reporterOptions);
  await maskPages(context, merchantOriginsOf(job));
  const traffic = recordTraffic(context, redactor);
  const page = await context.newPage();
  const live = createLiveView(page, createPartyOf(job));
  const separateContexts = new Set<BrowserContext>();
  let isCardReleased = false;

  context.on("close", () =>
    activeLease.giveUp(new Error("The browser context closed before the order was completed.")),
  );
  page.on("crash", () => activeLease.giveUp(new Error("The page crashed before the order was completed.")));
  context.on("page", (opened) => {
    if (context.pages().length > MAX_PAGES) void opened.close().catch(() => {});
  });
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) void resumeAfterSubmit();
  });

  /** Resumes the live view after submission, when every field that may contain card data is masked. */
  async function resumeAfterSubmit(options: { readonly evenUnmasked?: boolean } = {}): Promise<void> {
    if (!isCardReleased || !activeLease.isSubmitted || !live.isHidden) return;
    if ((await maskNow(page, MASK_MS)) || options.evenUnmasked) await live.show("card");
  }

  async function captureScreenshot(): Promise<ArtifactUpload | null> {
    if (live.isHidden || (isCardReleased && !(await maskNow(page, MASK_MS)))) return null;
    const screenshotOptions = { type: "jpeg", quality: 70, scale: "css", timeout: SCREENSHOT_MS } as const;
    const bytes = await page.screenshot(screenshotOptions).catch(() => null);
    // The page was hidden during the capture, so the screenshot may contain sensitive data.
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
    async withSeparateContext(use) {
      signal.throwIfAborted();
      const separate = await browser.openContext();
      separateContexts.add(separate);
      try {
        return await use(separate);
      } finally {
        separateContexts.delete(separate);
        await separate.close().catch(() => {});
      }
    },
    async step(action, { selector, outcome, screenshot = false }) {
      const at = new Date().toISOString();
      await resumeAfterSubmit();
      const clean = (text: string, maxLength: number) => redactor.clean(text).text.slice(0, maxLength);
      const step = {
        ...{ at, action: clean(action, MAX_ACTION_LENGTH), outcome: clean(outcome, MAX_TEXT_LENGTH) },
        selector: selector === undefined ? null : clean(selector, MAX_TEXT_LENGTH),
        urlOrigin: originOf(page),
      };
      recorder.add(step, screenshot ? await captureScreenshot() : null);
    },
    async releaseCard() {
      signal.throwIfAborted();
      // The live view is hidden before the card is requested, so viewers cannot see the card being entered.
      isCardReleased = true;
      await live.hide("card");
      try {
        const card = await client.releaseCard(lease);
        redactor.hide(card);
        return card;
      } catch (error) {
        if (error instanceof LeaseLostError) activeLease.giveUp(error);
        throw error;
      }
    },
    ask: (question) => askOwner({ client, lease, activeLease }, question),
    recordSubmission: () => activeLease.submit(),
    async setRequiredAction(action, waitMs) {
      if (action === "three_d_secure") await resumeAfterSubmit({ evenUnmasked: true });
      live.requireAction(action);
      const ms = waitMs === undefined ? null : Math.max(0, Math.round(waitMs));
      if (activeLease.isSubmitted) actionReporter.report(action, ms);
      else await client.reportRequiredAction(lease, action, ms);
    },
    setChallengeFrame: live.setChallengeFrame,
    async securityCode() {
      await live.hide("security_code");
      try {
        await session.setRequiredAction("security_code", activeLease.remainingMs);
        const code = await live.securityCode(signal);
        redactor.hide({ securityCode: code });
        return code;
      } finally {
        await session.setRequiredAction(null).catch(() => {});
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
    recordHar() {
      const archive = traffic.archive(browser.version);
      if (archive) recorder.addArtifact({ kind: "har", contentType: "application/json", ...archive });
    },
    async close() {
      actionReporter.stop();
      await live.end();
      await Promise.all([context, ...separateContexts].map((open) => open.close().catch(() => {})));
    },
  };
}

/** Returns the origins of the merchant's own forms. Fields on any other origin are always masked. */
function merchantOriginsOf(job: WorkerJob): string[] {
  return job.kind === "explored" ? [new URL(job.request.merchantUrl).origin] : [...job.cardEntry.pageOrigins];
}

function originOf(page: Page): string | null {
  const origin = URL.parse(page.url())?.origin;
  return origin === undefined || origin === "null" ? null : origin.slice(0, MAX_TEXT_LENGTH);
}
