/** Extracts the prose of a source file: names, comments, texts and GraphQL descriptions. */
import { parse as parseGraphql, visit } from "graphql";
import ts from "typescript";

export interface Prose {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly kind: "name" | "comment" | "text" | "description";
  /** A name is split into its words. Backticked code is blanked, so offsets stay. */
  readonly text: string;
  /** The name as it is written. */
  readonly name?: string;
}

/** Stands for a tag of markup: a sentence does not go on behind it. */
export const SENTENCE_END = "\u2029";

const blank = (text: string) => text.replace(/[^\n]/g, " ");
/** Blanks code in backticks, which counts as one word, and tags of markup, which end a sentence. */
const withoutCode = (text: string) =>
  text
    .replace(/`[^`\n]*`/g, (code) => `${blank(code.slice(1))}X`)
    .replace(/<[a-z!/][^>]*>/gi, (tag) => `${blank(tag.slice(1))}${SENTENCE_END}`);

/** `parseHTTPUrl` and `parse_http_url` are both `parse http url`. */
export function splitName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[_.\-/]+/g, " ")
    .trim()
    .toLowerCase();
}

/** Whether a string is text for a reader: words in sequence, and neither SQL, a GraphQL document nor a header's value. */
function isText(value: string): boolean {
  return (
    /[a-z][,.:;]? [a-z]/.test(value) &&
    !/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|RETURNING|WHERE|AND|SET|FROM|ALTER|CREATE)\b/.test(value) &&
    !/^\s*(query|mutation|subscription|fragment)\b|[{}]|; [\w-]+=|-src '|[a-z]-[a-z]+:|\(X11;/.test(value)
  );
}

/** The prose of a TypeScript file: declared names (once each), comments, and strings that are text. */
export function readTypeScript(path: string, source: string): Prose[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: Prose[] = [];
  const names = new Set<string>();
  const comments = new Set<number>();
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;

  function addComments(position: number): void {
    const ranges = [ts.getLeadingCommentRanges(source, position), ts.getTrailingCommentRanges(source, position)];
    for (const { pos, end } of ranges.flatMap((it) => it ?? [])) {
      if (comments.has(pos)) continue;
      comments.add(pos);
      const text = source
        .slice(pos, end)
        .replace(/^\/\*\*?|\*\/$|^\/\//g, blank)
        .replace(/(\n\s*)\*/g, "$1 ");
      found.push({ line: lineAt(pos), kind: "comment", text: withoutCode(text) });
    }
  }

  function visitNode(node: ts.Node): void {
    addComments(node.pos);
    addComments(node.end);
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node) && isDeclaredName(node) && !names.has(node.text)) {
      names.add(node.text);
      found.push({ line: lineAt(node.getStart()), kind: "name", text: splitName(node.text), name: node.text });
    }
    const value = literalText(node);
    if (value !== undefined && (ts.isJsxText(node) ? value.trim() : isText(value))) {
      found.push({ line: lineAt(node.getStart()), kind: "text", text: withoutCode(value) });
    }
    for (const child of node.getChildren(file)) visitNode(child);
  }

  visitNode(file);
  return found;
}

function isDeclaredName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    "name" in parent && parent.name === node && !ts.isPropertyAccessExpression(parent) && !ts.isMetaProperty(parent)
  );
}

/** A string's value, or a template's source with `X` for each expression; line breaks are preserved. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `X${blank(expression.getFullText())}${literal.text}`,
  );
  return [node.head.text, ...spans].join("");
}

/** The prose of a GraphQL schema or document: its names (once each) and descriptions. */
export function readGraphql(source: string): Prose[] {
  const found: Prose[] = [];
  const names = new Set<string>();
  visit(parseGraphql(source), {
    enter(node) {
      if ("description" in node && node.description) {
        const { value, loc } = node.description;
        found.push({ line: loc?.startToken.line ?? 0, kind: "description", text: withoutCode(value) });
      }
      if (node.kind === "Name" && !names.has(node.value)) {
        names.add(node.value);
        found.push({
          line: node.loc?.startToken.line ?? 0,
          kind: "name",
          text: splitName(node.value),
          name: node.value,
        });
      }
    },
  });
  return found;
}

/** The comments of a file whose comments start with `marker` (`#`, `--`, `//`). */
export function readLineComments(source: string, marker: string): Prose[] {
  return source.split("\n").flatMap((line, index): Prose[] => {
    const comment = new RegExp(`(?:^|\\s)${marker}+ (.*)`).exec(line)?.[1];
    return comment ? [{ line: index + 1, kind: "comment", text: withoutCode(comment) }] : [];
  });
}
