/**
 * Checks the language of the code: no avoided term in a name, comment, text or GraphQL description, and no sentence above the
 * limit. Prints each finding and exits with 1. Markdown is textlint's, with the same terms.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Prose, readGraphql, readLineComments, readTypeScript, SENTENCE_END, splitName } from "./prose.ts";
import { TERMS, termPattern } from "./terms.ts";

const ROOT = join(import.meta.dirname, "..");
const MAX_WORDS = 25;
const FOLDERS = "{src,schema,rest-compat,mcp,web,sandbox,cli,examples,bench,test,lint}";
/** Written by programs, or the list itself. */
const EXCLUDED = [
  "**/generated/**",
  "**/node_modules/**",
  "web/dist/**",
  "lint/terms.ts",
  "test/suite/terminology.test.ts",
];

interface Exception {
  readonly reason: string;
  readonly path?: RegExp;
  readonly name?: RegExp;
  readonly word?: RegExp;
}

/** Names that are fixed elsewhere, and words that a folder's texts need. Names of the GraphQL schema and database need no entry. */
const EXCEPTIONS: readonly Exception[] = [
  { reason: "Prisma's argument for the length of a page", name: /^take$/ },
  {
    reason: "fields of the REST contract and of stores' APIs",
    name: /^(basket_url|shops_searched|shop_name|shops?|answer)$/,
  },
  { reason: "members of other packages' interfaces", name: /^(keepDeliveryStatus|answers)$/ },
  { reason: "columns of a query's result", name: /^(takenUntil|stands|answered)$/ },
  { reason: "member of the benchmarks' JSON output", name: /^judged$/ },
  { reason: "cost class of tests", name: /\.judge\.test\.ts$/ },
  { reason: "error codes", name: /^(never_taken|shop_unavailable|not_a_shop)$/ },
  { reason: "members of stored recipes and of signed documents", name: /^(add_to_basket|asked_(by|at))$/ },
  {
    reason: "wording of real stores, which workers must recognise",
    path: /^(sandbox\/store|test|src\/worker\/checkout|src\/checkout\/product-index)\//,
    word: /^(baskets?|looking at|try again|till|want|shop)$/i,
  },
  {
    reason: "words of users that refer to a store",
    path: /^src\/checkout\/quote\/pickup\.ts$/,
    word: /^(want|shops?)$/,
  },
  {
    reason: "input of a key derivation, which must not change",
    path: /^(src\/oauth\/sealed-response|sandbox\/identities)\.ts$/,
    word: /^(answer|shop|stranger)$/,
  },
  {
    reason: "names of questions of orders, where other subjects are the rule",
    name: /^(ask|onAsk|asked|ASK_AFTER_MS|awaitAnswer|ANSWER|AskedQuestion|Answer(Body|Route|OrderQuestion))$/,
  },
  {
    reason: "questions of orders to the account owner; the SDL repeats the texts of schema/",
    path: /question|\bask(ing)?-|^schema\/(schema|released)\.graphql$|^prisma\/schema\.prisma$|^src\/worker\/(session|service-client|worker|open-session)\.ts$|^src\/checkout\/(retention|worker-protocol\/bodies|orders\/finish-order)\.ts$|^web\/pages\/orders\/|^rest-compat\/.*checkout\/|^src\/platform\/config\/settings\/checkout-settings\.ts$|^test\/(web\/orders|worker\/checkout-fixture|rest-compat\/corpus\/checkout)/,
    name: /ask|answer/i,
    word: /^(ask|answer)/i,
  },
];

const isExcepted = (path: string, name: string | undefined, word: string) =>
  EXCEPTIONS.some(
    (it) => (it.path?.test(path) ?? true) && (name === undefined ? it.word?.test(word) : it.name?.test(name)),
  );

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

const patterns = TERMS.map((term) => ({ pattern: new RegExp(termPattern(term), "gi"), write: term.write }));
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** Every avoided term of a text and every sentence above the limit. */
export function findings(path: string, { line, kind, text, name }: Prose): Finding[] {
  const terms = patterns.flatMap(({ pattern, write }) =>
    [...text.matchAll(pattern)]
      .filter(([word]) => !isExcepted(path, name, word))
      .map((match) => ({
        path,
        line: line + text.slice(0, match.index).split("\n").length - 1,
        message: `${kind}${name ? ` ${name}` : ""}: "${match[0]}" → ${write}`,
      })),
  );
  return kind === "name" ? terms : [...terms, ...longSentences(path, line, kind, text)];
}

/** An empty line, an item of a list, a block tag of a docstring, or a tag of markup. */
const PARAGRAPH_END = new RegExp(`\\n\\s*\\n|\\n\\s*(?=[-*|\\d] )|\\s(?=@[a-z]+ )|${SENTENCE_END}`);
/** Tables and pictures of a comment are no sentences. */
const DRAWING = /[─│┬]/;

function longSentences(path: string, line: number, kind: Prose["kind"], text: string): Finding[] {
  const paragraphs = text.split(PARAGRAPH_END);
  return paragraphs
    .filter((paragraph) => !DRAWING.test(paragraph))
    .flatMap((paragraph) => [...sentences.segment(paragraph.replace(/\s+/g, " "))])
    .map(({ segment }) => ({ segment, words: segment.split(" ").filter((word) => /\w/.test(word)).length }))
    .filter(({ segment, words }) => words > MAX_WORDS || segment.split("; ").length > 2)
    .map(({ segment, words }) => ({
      path,
      line,
      message: `${kind}: sentence of ${words} words: ${segment.slice(0, 60)}…`,
    }));
}

/** The prose of a file by its type. */
export function readProse(path: string, source: string): Prose[] {
  const file: Prose = { line: 1, kind: "name", text: splitName(basename(path)), name: basename(path) };
  if (/\.(tsx?|cjs)$/.test(path)) return [file, ...readTypeScript(path, source)];
  if (path.endsWith(".graphql")) return [file, ...readGraphql(source), ...readLineComments(source, "#")];
  return [file, ...readLineComments(source, path.endsWith(".prisma") ? "//" : "#")];
}

/** Names of the GraphQL schema and of the database: they are changed there, and elsewhere only follow. */
function wireNames(): Set<string> {
  const schema = readGraphql(readFileSync(join(ROOT, "schema/schema.graphql"), "utf8"));
  const database = readFileSync(join(ROOT, "prisma/schema.prisma"), "utf8").matchAll(
    /^\s*(\w+)\s+\w|@map\("(\w+)"\)/gm,
  );
  return new Set([
    ...schema.flatMap(({ name }) => name ?? []),
    ...[...database].flatMap(([, field, column]) => [field ?? "", column ?? ""]),
  ]);
}

function check(): Finding[] {
  const files = globSync(
    [
      `${FOLDERS}/**/*.{ts,tsx,cjs,graphql}`,
      "*.{ts,cjs}",
      ".dependency-cruiser.cjs",
      "prisma/schema.prisma",
      ".ci/run",
    ],
    { cwd: ROOT, exclude: EXCLUDED },
  );
  const wire = wireNames();
  return files.sort().flatMap((path) =>
    readProse(path, readFileSync(join(ROOT, path), "utf8"))
      .filter(({ name }) => name === undefined || !wire.has(name))
      .flatMap((prose) => findings(path, prose)),
  );
}

if (import.meta.main) {
  const found = check();
  for (const { path, line, message } of found) process.stdout.write(`${path}:${line} ${message}\n`);
  if (found.length > 0) {
    process.stderr.write(
      `${found.length} findings. lint/terms.ts lists the terms and the phrases in which they are correct.\n`,
    );
    process.exitCode = 1;
  }
}
