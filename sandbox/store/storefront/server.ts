import { once } from "node:events";
import express, { type Request, type Response, Router } from "express";
import {
  type DocumentNode,
  execute,
  GraphQLError,
  getDirectiveValues,
  getOperationAST,
  type OperationDefinitionNode,
  parse,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Store } from "../definition.ts";
import { type Fault, SLOW_MS } from "../faults.ts";
import { type CartDeps, cartFields } from "./cart.ts";
import { catalogueFields, VERSION_HANDLES } from "./catalogue.ts";
import { requestsRatesImmediately, splitDeferred, withoutDefer } from "./deferred.ts";
import { storefrontSchema } from "./schema.ts";

const bodySchema = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});
const BOUNDARY = "graphql";

/** `POST /api/<version>/graphql.json` of one store, without a token. Deferred parts use incremental delivery, 2022-08-24. */
export function storefrontRoutes(deps: CartDeps, store: Store, url: () => string): Router {
  const router = Router();
  const inContext = storefrontSchema.getDirective("inContext");

  router.post("/api/:version/graphql.json", express.json({ limit: "512kb" }), async (request, response) => {
    if (!VERSION_HANDLES.includes(request.params["version"] ?? "")) {
      return void response.status(404).json({ errors: "Not Found" });
    }
    if (await applyFaults(deps.faults.consume(store.name, "request", null), response)) return;
    const { success, data: body } = bodySchema.safeParse(request.body);
    if (!success)
      return void response.status(400).json({ errors: [{ message: "Parameter Missing or Invalid: query" }] });
    const variables = body.variables ?? {};
    const isDeferring = acceptsDeferred(request);
    const parsed = readDocument(body.query, body.operationName ?? undefined, isDeferring);
    if ("errors" in parsed) return void response.json({ errors: parsed.errors });
    const { document, operation } = parsed;
    if (requestsRatesImmediately(document, operation, variables)) {
      const message = "withCarrierRates must be used with @defer and an Accept header of multipart/mixed.";
      return void response.json({ errors: [{ message, extensions: { code: "BAD_REQUEST" } }] });
    }
    const directive = inContext ? getDirectiveValues(inContext, operation, variables) : undefined;
    const context = { store, url: url(), country: (directive?.["country"] as string | undefined) ?? store.country };
    const result = await execute({
      schema: storefrontSchema,
      document: withoutDefer(document),
      rootValue: { ...catalogueFields(context), ...cartFields(deps, context) },
      variableValues: variables,
      operationName: body.operationName ?? null,
    });
    const split = result.data ? splitDeferred(document, operation, variables, result.data) : undefined;
    if (!split || split.parts.length === 0) return void response.json(result);
    const { errors = [] } = result;
    response.type(`multipart/mixed; boundary=${BOUNDARY}; deferSpec=20220824`);
    await writePart(response, { data: split.initial, hasNext: true });
    await writePart(response, {
      incremental: split.parts.map((part) => ({ ...part, ...(errors.length > 0 ? { errors } : {}) })),
      hasNext: false,
    });
    response.end(`--${BOUNDARY}--\r\n`);
  });

  // Handles bodies that are not JSON.
  router.use((error: unknown, _request: Request, response: Response, next: (error: unknown) => void) => {
    if ((error as { type?: string }).type !== "entity.parse.failed") return next(error);
    response.status(400).json({ errors: [{ message: "The body is not JSON" }] });
  });
  return router;
}

/** Applies faults to an API response. Returns true if the response is complete or must not be sent. */
export async function applyFaults(faults: Fault[], response: Response): Promise<boolean> {
  if (faults.includes("api_hangs")) return true;
  if (faults.includes("api_slow")) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  if (faults.includes("api_5xx")) {
    response.status(503).type("text").send("Service Unavailable");
    return true;
  }
  if (faults.includes("api_garbage")) {
    response.type("json").send('{"data": {"sh');
    return true;
  }
  if (faults.includes("throttled")) {
    response.json({ errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] });
    return true;
  }
  return false;
}

type Valid = { document: DocumentNode } | { errors: readonly GraphQLError[] };

/** Caches parsed documents, because parsing dominates the cost of a request and clients repeat the same queries. */
const documentCache = new LRUCache<string, Valid>({ max: 200 });

function validDocument(query: string, isDeferring: boolean): Valid {
  const key = `${isDeferring} ${query}`;
  const parsed = documentCache.get(key) ?? parseValid(query, isDeferring);
  documentCache.set(key, parsed);
  return parsed;
}

function parseValid(query: string, isDeferring: boolean): Valid {
  try {
    const document = parse(query, { maxTokens: 5_000 });
    const errors = validate(storefrontSchema, document);
    return errors.length > 0 ? { errors } : { document: isDeferring ? document : withoutDefer(document) };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

function readDocument(
  query: string,
  operationName: string | undefined,
  isDeferring: boolean,
): { document: DocumentNode; operation: OperationDefinitionNode } | { errors: readonly GraphQLError[] } {
  const parsed = validDocument(query, isDeferring);
  if ("errors" in parsed) return parsed;
  const operation = getOperationAST(parsed.document, operationName);
  if (!operation) return { errors: [new GraphQLError("An operation name is required")] };
  return { document: parsed.document, operation };
}

function acceptsDeferred(request: Request): boolean {
  return /multipart\/mixed\s*;\s*deferSpec=20220824/.test(request.get("accept") ?? "");
}

async function writePart(response: Response, payload: object): Promise<void> {
  const json = JSON.stringify(payload);
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}`;
  if (!response.write(`--${BOUNDARY}\r\n${head}\r\n\r\n${json}\r\n`)) await once(response, "drain");
  // Yields, so that each part is sent separately, as from a server with slow fields.
  await new Promise((resolve) => setImmediate(resolve));
}
