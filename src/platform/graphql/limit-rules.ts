import {
  GraphQLError,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  type SelectionSetNode,
  type ValidationRule,
} from "graphql";
import type { GraphqlLimits } from "./limits.ts";
import { measureOperation, type OperationMeasure } from "./operation-measure.ts";
import { countOverlaps } from "./selection-overlaps.ts";

type MeasuredLimits = Pick<
  GraphqlLimits,
  "maxDepth" | "maxAliases" | "maxRootFields" | "maxDirectives" | "maxFields" | "maxOverlaps"
>;

const CHECKS: readonly [keyof OperationMeasure, Exclude<keyof MeasuredLimits, "maxOverlaps">, string][] = [
  ["depth", "maxDepth", "levels of depth"],
  ["fields", "maxFields", "fields"],
  ["aliases", "maxAliases", "aliases"],
  ["rootFields", "maxRootFields", "root fields"],
  ["directives", "maxDirectives", "directives"],
];

/** An operation that asks for more than the service allows. */
export function limitError(what: string, found: number | null, limit: number): GraphQLError {
  const message =
    found === null
      ? `The operation exceeds the limit of ${limit} ${what}.`
      : `The operation has ${found} ${what}; the limit is ${limit}.`;
  return new GraphQLError(message, { extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit } });
}

/** Refuses operations past the measured limits, and more than one root field that moves money. */
export function operationLimitRule(limits: MeasuredLimits): ValidationRule {
  return (context) => {
    const checkOverlaps = (selectionSet: SelectionSetNode) => {
      if (countOverlaps(context.getDocument(), selectionSet) <= limits.maxOverlaps) return;
      context.reportError(limitError("fields selected twice", null, limits.maxOverlaps));
    };
    return {
      OperationDefinition(operation) {
        const root = context.getSchema().getRootType(operation.operation);
        const measure = measureOperation(context.getDocument(), operation, root);
        for (const [measured, limit, what] of CHECKS) {
          if (measure[measured] > limits[limit]) {
            context.reportError(limitError(what, measure[measured], limits[limit]));
            return false;
          }
        }
        if (measure.moneyFields > 1) {
          context.reportError(
            new GraphQLError("An operation may move money once; send the others by themselves.", {
              nodes: operation,
              extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit: 1 },
            }),
          );
        }
        checkOverlaps(operation.selectionSet);
        return false;
      },
      // Also one that no operation spreads is validated.
      FragmentDefinition({ selectionSet }) {
        checkOverlaps(selectionSet);
        return false;
      },
    };
  };
}

/** The rules that are cheap and come first: nothing costly is run on a document they refuse. */
export function hardeningRules(limits: MeasuredLimits, introspection: boolean): ValidationRule[] {
  const rules = [operationLimitRule(limits), NoFragmentCyclesRule];
  if (!introspection) rules.push(NoSchemaIntrospectionCustomRule);
  return rules;
}
