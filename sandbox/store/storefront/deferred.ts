import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from "graphql";

type Variables = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;

/** One part of an answer that comes after the rest. */
export interface DeferredPart {
  path: (string | number)[];
  label?: string;
  data: Json;
}

/** Takes an answer apart as `@defer` asks: what comes at once, and what comes later. */
export function splitDeferred(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  data: Json,
): { initial: Json; parts: DeferredPart[] } {
  const fragments = fragmentsOf(document);
  const parts: DeferredPart[] = [];

  function merge(into: Json, from: Json): void {
    for (const [key, value] of Object.entries(from)) {
      const present = into[key];
      if (isObject(present) && isObject(value)) merge(present, value);
      else into[key] = value;
    }
  }

  /** What of `value` these selections name, without what is deferred. */
  function take(set: SelectionSetNode, value: Json, path: DeferredPart["path"]): Json {
    const taken: Json = {};
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        if (key in value) merge(taken, { [key]: takeAll(selection.selectionSet, value[key], [...path, key]) });
        continue;
      }
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments.get(selection.name.value)?.selectionSet;
      if (!inner) continue;
      const deferred = deferOf(selection.directives, variables);
      const content = take(inner, value, path);
      if (!deferred) merge(taken, content);
      else parts.push({ path, ...(deferred.label === undefined ? {} : { label: deferred.label }), data: content });
    }
    return taken;
  }

  function takeAll(set: SelectionSetNode | undefined, value: unknown, path: DeferredPart["path"]): unknown {
    if (!set || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => takeAll(set, item, [...path, index]));
    return take(set, value as Json, path);
  }

  return { initial: take(operation.selectionSet, data, []), parts };
}

/** True when carrier rates are asked for at a place that is not deferred. */
export function asksRatesAtOnce(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): boolean {
  const fragments = fragmentsOf(document);
  function within(set: SelectionSetNode | undefined): boolean {
    return (set?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.FIELD) {
        const argument = selection.arguments?.find(({ name }) => name.value === "withCarrierRates")?.value;
        const isOn =
          (argument?.kind === Kind.BOOLEAN && argument.value) ||
          (argument?.kind === Kind.VARIABLE && variables[argument.name.value] === true);
        return isOn || within(selection.selectionSet);
      }
      if (deferOf(selection.directives, variables)) return false;
      return within(
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments.get(selection.name.value)?.selectionSet,
      );
    });
  }
  return within(operation.selectionSet);
}

/** The document without `@defer`, which the executor does not know. */
export function withoutDefer(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: (node) => (node.name.value === "defer" ? null : undefined) });
}

function deferOf(
  directives: readonly DirectiveNode[] | undefined,
  variables: Variables,
): { label?: string } | undefined {
  const directive = directives?.find(({ name }) => name.value === "defer");
  if (!directive) return undefined;
  const argument = (wanted: string) => directive.arguments?.find(({ name }) => name.value === wanted)?.value;
  const condition = argument("if");
  if (condition?.kind === Kind.BOOLEAN && !condition.value) return undefined;
  if (condition?.kind === Kind.VARIABLE && variables[condition.name.value] === false) return undefined;
  const label = argument("label");
  return label?.kind === Kind.STRING ? { label: label.value } : {};
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
