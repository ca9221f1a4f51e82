import type { ExecutionResult } from "graphql";
import type { Route } from "./route.ts";
import type { OnUnknown } from "./unknown-members.ts";

/** A route with its compiled operation. */
export interface Runner {
  readonly route: Route;
  readonly onUnknown: OnUnknown;
  run(variables: unknown, context: object): ExecutionResult | Promise<ExecutionResult>;
}
