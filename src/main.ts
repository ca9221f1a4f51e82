/** `npm start`: reads the configuration, starts the sandbox if enabled, starts the service and prints its addresses. */
import { randomBytes } from "node:crypto";
import { startSandboxProcess } from "./app/dev/sandbox-process.ts";
import type { Service } from "./app/service.ts";
import { createShutdown } from "./app/shutdown.ts";
import { createProgress, renderBanner } from "./app/terminal.ts";
import { preparePages } from "./app/web-pages.ts";
import { startWorkerProcesses, type WorkerProcesses } from "./app/worker-processes.ts";
import { readConfig } from "./platform/config/load.ts";
import { exit } from "./platform/exit.ts";
import { createLogger } from "./platform/observability/logger.ts";
import { OperatorError } from "./platform/operator-error.ts";

/** Scripts read this token from a file, so it is valid for a day instead of the dashboard's minutes. */
const SANDBOX_LOGIN_TOKEN_SECONDS = 86_400;
/** Part of the shutdown timeout that is reserved for the service, after its workers. */
const SERVICE_STOP_MS = 5_000;

const config = await orExit(() => readConfig());
// The sandbox's operator token is written to the sandbox file.
if (config.SANDBOX && config.ADMIN_TOKEN.length === 0) config.ADMIN_TOKEN.push(randomBytes(24).toString("hex"));
const logger = createLogger(config.LOG_LEVEL);
const progress = createProgress(process.stdout, logger);
const shutdown = createShutdown({ logger, timeoutMs: config.SHUTDOWN_TIMEOUT_MS });

let stopService: Service["stop"] | null = null;
let workers: WorkerProcesses | null = null;
const sandbox = config.SANDBOX ? await orExit(() => startSandboxProcess(config.DATA_DIR, progress.say)) : null;
// Added before anything runs: a signal may arrive while the service is starting.
// Workers stop first, because they report the results of their orders to the service.
shutdown.addStep("checkout workers", () => workers?.stop(Math.max(0, config.SHUTDOWN_TIMEOUT_MS - SERVICE_STOP_MS)));
shutdown.addStep("service", () => stopService?.());
shutdown.addStep("sandbox", () => sandbox?.stop());

try {
  const pages = preparePages(logger, progress.say);
  // Imported late, because its modules load for a second: the sandbox starts meanwhile, and an invalid configuration fails
  // earlier.
  const { startService } = await import("./app/service.ts");
  const onServing = (stop: Service["stop"]) => {
    stopService = stop;
  };
  const service = await startService({
    ...{ config, logger, onServing },
    sandbox: sandbox?.endpoints ?? null,
    onProgress: progress.say,
  });
  await pages;
  const endpoints = await sandbox?.endpoints;
  if (endpoints) {
    progress.say("Funding the demo wallet");
    const {
      prepareDemoAccount,
      readPreviousToken,
      createSandboxFile: sandboxFile,
      writeSandboxFile,
    } = await import("./app/dev/demo-account.ts");
    const { signLoginToken } = await import("./accounts/login-token.ts");
    const previousToken = await readPreviousToken(config.DATA_DIR);
    const demoDeps = { ...service.deps, freeCreditMicroUsd: config.FREE_CREDIT_USD, previousToken };
    const demo = await prepareDemoAccount(demoDeps, endpoints);
    service.deps.onCredentialCreated(demo.accountId);
    const lifetimeSeconds = SANDBOX_LOGIN_TOKEN_SECONDS;
    const { token: loginToken } = await signLoginToken(service.deps, demo.accountId, { lifetimeSeconds });
    const secrets = { adminToken: config.ADMIN_TOKEN[0], loginToken };
    const mail = { agentMailDomain: service.deps.agentMail.domain(), incomingMail: service.incomingMail };
    const content = sandboxFile(service.deps, demo, endpoints, mail, secrets);
    const path = await writeSandboxFile(config.DATA_DIR, content);
    progress.done();
    const { shopUrl, storeUrl, llmUrl, mcpUrl, dexUrl, mailUrl } = endpoints;
    const dashboardUrl = `${service.deps.site.browserUrl()}/dashboard`;
    process.stdout.write(
      renderBanner({
        baseUrl: service.baseUrl,
        dashboardUrl,
        shopUrl,
        storeUrl,
        llmUrl,
        mcpUrl,
        dexUrl,
        mailUrl,
        demo,
        path,
      }),
    );
  } else {
    progress.done();
    logger.info({ baseUrl: service.baseUrl }, "ready");
  }
  // Last, because starting browsers would delay the service.
  if (!shutdown.isStopping) workers = startWorkerProcesses({ config, serviceUrl: service.localUrl, logger });
} catch (error) {
  progress.done();
  // A shutdown during the start causes errors of closed resources; the shutdown ends the process.
  if (!shutdown.isStopping) {
    if (error instanceof OperatorError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, "Satchel did not start");
    // Closes everything that was opened, so no child process holds the lock of the data folder.
    await shutdown.abandonStart();
  }
}

/** Prints the message of an expected error and exits. Only for steps before any resource is open. */
async function orExit<Result>(begin: () => Result): Promise<Result> {
  try {
    return begin();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return await exit(1);
  }
}
