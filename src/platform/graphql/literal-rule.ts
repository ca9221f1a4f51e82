import {
  type ASTNode,
  type ASTVisitor,
  getNamedType,
  isScalarType,
  Kind,
  type ValidationContext,
  type ValueNode,
} from "graphql";
import { formatPath, type InputProblem } from "../errors.ts";
import { InvalidValue } from "./invalid-value.ts";
import { createRequestError, returnsInputProblems } from "./variable-problems.ts";

/**
 * Rejects literals that their scalar rejects, all in one error. Literals in a field that returns such problems as data are
 * left to that field.
 */
export function InvalidLiteralsRule(context: ValidationContext): ASTVisitor {
  const nodes: ValueNode[] = [];
  const problems: InputProblem[] = [];
  const check = (
    node: ValueNode,
    _key: unknown,
    parent: ASTNode | readonly ASTNode[] | undefined,
    _path: unknown,
    ancestors: readonly (ASTNode | readonly ASTNode[])[],
  ) => {
    const type = getNamedType(context.getInputType());
    const invalid = isScalarType(type) ? parse(type.parseLiteral, node) : null;
    if (!invalid) return undefined;
    if (!context.getDirective() && returnsInputProblems(context.getFieldDef())) return false;
    const path = findPath([...ancestors, ...(parent ? [parent] : []), node]);
    nodes.push(node);
    problems.push({ path, message: `${formatPath(path)} ${invalid.reason}.` });
    return false;
  };
  return {
    IntValue: check,
    FloatValue: check,
    StringValue: check,
    BooleanValue: check,
    EnumValue: check,
    ObjectValue: check,
    Document: {
      leave() {
        const [first] = problems;
        if (first) context.reportError(createRequestError(first.message, problems, nodes));
      },
    },
  };
}

/** Returns the rejection of a literal; null for a valid literal and for one of the wrong kind, which another rule rejects. */
function parse(parseLiteral: (node: ValueNode) => unknown, node: ValueNode): InvalidValue | null {
  try {
    const value = parseLiteral(node);
    return value instanceof InvalidValue ? value : null;
  } catch {
    return null;
  }
}

/** Returns the names and list indexes from the argument or variable to the last node. */
function findPath(nodes: readonly (ASTNode | readonly ASTNode[])[]): string[] {
  return nodes.flatMap((node, i) => {
    if (Array.isArray(node)) {
      const list = nodes[i - 1] as ASTNode | undefined;
      return list?.kind === Kind.LIST ? [String(node.indexOf(nodes[i + 1]))] : [];
    }
    const { kind } = node as ASTNode;
    if (kind === Kind.ARGUMENT || kind === Kind.OBJECT_FIELD) return [(node as { name: { value: string } }).name.value];
    if (kind === Kind.VARIABLE_DEFINITION)
      return [(node as { variable: { name: { value: string } } }).variable.name.value];
    return [];
  });
}
