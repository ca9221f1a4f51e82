import type { FastifyInstance, FastifyRequest } from "fastify";
import type { PartState } from "../health/parts.ts";

export interface ReadinessCheck {
  readonly name: string;
  /** Whether the node cannot serve requests without the component. Otherwise it is degraded. */
  readonly isRequired: boolean;
  /** Rejects if the component is unavailable. */
  check(): Promise<unknown>;
}

export interface Health {
  setPhase(phase: "starting" | "ready" | "stopping"): void;
  addCheck(check: ReadinessCheck): void;
}

interface HealthOptions {
  readonly timeoutMs?: number;
  /** State of the parts outside of this process, for callers with `hasAccess`. */
  readonly parts?: {
    states(): ReadonlyMap<string, PartState>;
    hasAccess(request: FastifyRequest): boolean;
  };
}

/**
 * Registers `GET /health/live` (the process responds) and `GET /health/ready` (it accepts requests). The latter responds
 * with 503 during start and shutdown, and while a required check fails or exceeds `timeoutMs`. Its status is `degraded`, with
 * 200, while another check or part fails.
 */
export function registerHealth(app: FastifyInstance, { timeoutMs = 2_000, parts }: HealthOptions = {}): Health {
  const checks: ReadinessCheck[] = [];
  let phase: "starting" | "ready" | "stopping" = "starting";

  app.get("/health/live", async () => ({ status: "ok" }));
  app.get("/health/ready", async (request, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, isRequired, check }) => {
        const failure = isRequired ? ("failing" as const) : ("degraded" as const);
        return [name, (await passes(check, timeoutMs)) ? ("ok" as const) : failure] as const;
      }),
    );
    const states = [...(parts?.states() ?? [])];
    const isReady = phase === "ready" && !results.some(([, result]) => result === "failing");
    const isDegraded = [...results.map(([, result]) => result), ...states.map(([, { status }]) => status)].includes(
      "degraded",
    );
    reply.code(isReady ? 200 : 503).header("cache-control", "no-store");
    return {
      status: phase !== "ready" ? phase : !isReady ? "failing" : isDegraded ? "degraded" : "ready",
      checks: Object.fromEntries(results),
      ...(parts?.hasAccess(request)
        ? {
            parts: Object.fromEntries(
              states.map(([name, { status, reason, since }]) => [name, { status, reason, since }]),
            ),
          }
        : {}),
    };
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
