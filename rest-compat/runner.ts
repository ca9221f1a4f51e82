import type { ExecutionResult } from "graphql";
import type { Route } from "./route.ts";

/** A route with its compiled operation. */
export interface Runner {
  readonly route: Route;
  run(variables: unknown, context: object): ExecutionResult | Promise<ExecutionResult>;
}
