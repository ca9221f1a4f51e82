import { GraphQLError, NoSchemaIntrospectionCustomRule, type SelectionSetNode, type ValidationRule } from "graphql";
import type { GraphqlLimits } from "./limits.ts";
import { measureOperation, type OperationMeasure } from "./operation-measure.ts";
import { countOverlaps } from "./selection-overlaps.ts";
import { subscriptionRootRule } from "./subscription-root-rule.ts";

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

/** @param found the actual number; null if it was not counted to the end */
export function limitError(unit: string, found: number | null, limit: number): GraphQLError {
  const message =
    found === null
      ? `The operation exceeds the limit of ${limit} ${unit}.`
      : `The operation has ${found} ${unit}; the limit is ${limit}.`;
  return new GraphQLError(message, { extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit } });
}

/** Validation rule: rejects operations that exceed a limit or have more than one root field that moves money. */
export function operationLimitRule(limits: MeasuredLimits): ValidationRule {
  return (context) => {
    let hasTooManyOverlaps = false;
    const checkOverlaps = (selectionSet: SelectionSetNode) => {
      if (hasTooManyOverlaps || countOverlaps(context.getDocument(), selectionSet) <= limits.maxOverlaps) return;
      hasTooManyOverlaps = true;
      context.reportError(limitError("overlapping fields", null, limits.maxOverlaps));
    };
    return {
      OperationDefinition(operation) {
        const root = context.getSchema().getRootType(operation.operation);
        const measure = measureOperation(context.getDocument(), operation, root);
        for (const [measured, limit, unit] of CHECKS) {
          if (measure[measured] > limits[limit]) {
            context.reportError(limitError(unit, measure[measured], limits[limit]));
            return false;
          }
        }
        if (measure.moneyFields > 1) {
          context.reportError(
            new GraphQLError("The operation has several fields that move money. Send each in its own operation.", {
              nodes: operation,
              extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit: 1 },
            }),
          );
        }
        checkOverlaps(operation.selectionSet);
        return false;
      },
      // Fragments that no operation spreads are validated too.
      FragmentDefinition({ selectionSet }) {
        checkOverlaps(selectionSet);
        return false;
      },
    };
  };
}

/** Returns the cheap rules that run before full validation, for documents without fragment cycles. */
export function hardeningRules(limits: MeasuredLimits, introspection: boolean): ValidationRule[] {
  const rules = [operationLimitRule(limits), subscriptionRootRule];
  if (!introspection) rules.push(NoSchemaIntrospectionCustomRule);
  return rules;
}
