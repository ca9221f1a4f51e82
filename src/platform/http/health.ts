import type { FastifyInstance } from "fastify";

export interface ReadinessCheck {
  readonly name: string;
  /** Rejects if the component is unavailable. */
  check(): Promise<unknown>;
}

export interface Health {
  setPhase(phase: "starting" | "ready" | "stopping"): void;
  addCheck(check: ReadinessCheck): void;
}

/**
 * Registers `GET /health/live` (the process responds) and `GET /health/ready` (it accepts requests). The latter responds
 * with 503 during start and shutdown, and while a check fails or exceeds `timeoutMs`.
 */
export function registerHealth(app: FastifyInstance, options: { timeoutMs?: number } = {}): Health {
  const { timeoutMs = 2_000 } = options;
  const checks: ReadinessCheck[] = [];
  let phase: "starting" | "ready" | "stopping" = "starting";

  app.get("/health/live", async () => ({ status: "ok" }));
  app.get("/health/ready", async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => [name, (await passes(check, timeoutMs)) ? "ok" : "failing"] as const),
    );
    const isReady = phase === "ready" && results.every(([, result]) => result === "ok");
    const status = phase === "ready" && !isReady ? "failing" : phase;
    reply.code(isReady ? 200 : 503).header("cache-control", "no-store");
    return { status, checks: Object.fromEntries(results) };
  });

  return {
    setPhase(next) {
      phase = next;
    },
    addCheck: (check) => void checks.push(check),
  };
}

async function passes(check: () => Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const result = (async () => check())().then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
