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

/** A deferred part of a response. */
export interface DeferredPart {
  path: (string | number)[];
  label?: string;
  data: Json;
}

/** Splits a result according to `@defer` into the initial part and the deferred parts. */
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

  /** Returns the selected fields of `value` without the deferred ones. */
  function select(set: SelectionSetNode, value: Json, path: DeferredPart["path"]): Json {
    const selected: Json = {};
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        if (key in value) merge(selected, { [key]: selectAll(selection.selectionSet, value[key], [...path, key]) });
        continue;
      }
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection.selectionSet
          : fragments.get(selection.name.value)?.selectionSet;
      if (!inner) continue;
      const deferred = deferOf(selection.directives, variables);
      const content = select(inner, value, path);
      if (!deferred) merge(selected, content);
      else parts.push({ path, ...(deferred.label === undefined ? {} : { label: deferred.label }), data: content });
    }
    return selected;
  }

  function selectAll(set: SelectionSetNode | undefined, value: unknown, path: DeferredPart["path"]): unknown {
    if (!set || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => selectAll(set, item, [...path, index]));
    return select(set, value as Json, path);
  }

  return { initial: select(operation.selectionSet, data, []), parts };
}

/** Whether a selection outside `@defer` requests carrier rates. */
export function requestsRatesImmediately(
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

/** Removes `@defer`, which the executor does not support. */
export function withoutDefer(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: (node) => (node.name.value === "defer" ? null : undefined) });
}

function deferOf(
  directives: readonly DirectiveNode[] | undefined,
  variables: Variables,
): { label?: string } | undefined {
  const directive = directives?.find(({ name }) => name.value === "defer");
  if (!directive) return undefined;
  const argument = (argumentName: string) =>
    directive.arguments?.find(({ name }) => name.value === argumentName)?.value;
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
