/** The language check (`npm run check`): what it reads in each kind of file, and which uses of a listed word are correct. */
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { type Finding, findings, readProse } from "../../lint/check.ts";
import { TERMS } from "../../lint/terms.ts";

const messages = (path: string, source: string): string[] =>
  readProse(path, source)
    .flatMap((prose) => findings(path, prose))
    .map(({ line, message }: Finding) => `${line} ${message.replace(/ →.*/, "")}`);

describe("in TypeScript", () => {
  test.each([
    ["a line comment", "// Sends the letter.\n", ['1 comment: "letter"']],
    [
      "a docstring, with its line",
      "/**\n * Sends it.\n * Nobody is told.\n */\nlet x;\n",
      ['3 comment: "told"', '3 comment: "Nobody"'],
    ],
    ["a comment at the end of a line", "let x = 1; // kept\n", ['1 comment: "kept"']],
    ["a function's name", "export function tellOwner() {}\n", ['1 name tellOwner: "tell"']],
    ["a constant in capitals", "const MAX_LETTERS = 1;\n", ['1 name MAX_LETTERS: "letters"']],
    [
      "a parameter and a member",
      "interface A { isTaken: boolean; pay(told: string): void }\n",
      ['1 name isTaken: "taken"', '1 name told: "told"'],
    ],
    ["an error message", 'throw new Error("The shop is closed.");\n', ['1 text: "shop"']],
    ["all of a template", ["log(`told $", "{x} of the letter`);\n"].join(""), ['1 text: "letter"', '1 text: "told"']],
    ["a test's title", 'test("takes hers", () => {});\n', ['1 text: "takes"', '1 text: "hers"']],
  ])("reads %s", (_what, source, expected) => {
    expect(messages("src/example.ts", source).sort()).toEqual([...expected].sort());
  });

  test("reads the text of a page", () => {
    expect(messages("web/example.tsx", "const a = <p>Write a letter</p>;\n")).toEqual(['1 text: "letter"']);
  });

  test("reads the name of the file", () => {
    expect(messages("src/letter-queue.ts", "")).toEqual(['1 name letter-queue.ts: "letter"']);
  });

  test("a name is reported once, where it is declared", () => {
    expect(messages("src/example.ts", "const told = 1;\nsend(told);\nconst a = other.told;\n")).toEqual([
      '1 name told: "told"',
    ]);
  });

  test.each([
    ["code in backticks", "// Column `letter` of `told`.\n"],
    ["a module's path", 'import { a } from "./letter-queue.ts";\n'],
    ["SQL", "db.query(`SELECT answer FROM asked WHERE kept`);\n"],
    ["a GraphQL document", "run(`query { viewer { letters } }`);\n"],
    ["a single word, which may be a value of the protocol", 'send({ type: "told" });\n'],
  ])("skips %s", (_what, source) => {
    expect(messages("src/example.ts", source)).toEqual([]);
  });
});

describe("in other files", () => {
  test("reads descriptions and names of a GraphQL schema", () => {
    const source = '"""What it keeps."""\ntype Letter {\n  "Told once."\n  id: ID\n}\n';
    const expected = ['1 description: "keeps"', '2 name Letter: "letter"', '3 description: "Told"'];
    expect(messages("schema/schema.graphql", source).sort()).toEqual(expected);
  });

  test("reads names and comments of a GraphQL document", () => {
    const source = "# Who asked.\nfragment SentLetter on MailMessage {\n  id\n}\n";
    const expected = ['1 comment: "asked"', '2 name SentLetter: "letter"'];
    expect(messages("rest-compat/documents/example.graphql", source).sort()).toEqual(expected);
  });

  test("reads comments of the database schema and of scripts", () => {
    expect(messages("prisma/schema.prisma", "model A {\n  // Who told.\n  id String\n}\n")).toEqual([
      '2 comment: "told"',
    ]);
    expect(messages(".ci/run", "x=1\n# Who asked.\n")).toEqual(['2 comment: "asked"']);
  });
});

test.each([
  "Upper-case letters only.",
  "1 to 30 letters, digits or hyphens.",
  "HTTP keep-alive.",
  "The change takes effect immediately.",
  "The answer section of a DNS message.",
  "A hold on the card, placed on the first line of the file.",
  "Turns on notifications.",
])("a listed word is correct in: %s", (text) => {
  expect(findings("a.ts", { line: 1, kind: "comment", text })).toEqual([]);
});

describe("long sentences", () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

  test("a sentence of 25 words passes, one of 26 does not", () => {
    expect(messages("src/example.ts", `// ${words(25)}.\n`)).toEqual([]);
    expect(messages("src/example.ts", `// ${words(26)}.\n`)).toHaveLength(1);
  });

  test("two sentences of 20 words pass", () => {
    expect(messages("src/example.ts", `// Uses ${words(19)}. Uses ${words(19)}.\n`)).toEqual([]);
  });

  test("two semicolons in one sentence do not pass", () => {
    expect(messages("src/example.ts", "// Reads it; checks it; stores it.\n")).toHaveLength(1);
  });
});

test("every allowed phrase has a reason, and every term names its replacement", () => {
  for (const { words, write, allowed = [] } of TERMS) {
    expect(write, words).not.toBe("");
    for (const { reason, after, before } of allowed) {
      expect(reason, words).not.toBe("");
      expect(after ?? before, words).toBeDefined();
    }
  }
});

test("Markdown is checked with the same terms", () => {
  const { rules } = createRequire(import.meta.url)("../../.textlintrc.cjs") as {
    rules: { terminology: { terms: [string, string][] } };
  };
  expect(rules.terminology.terms.map(([, write]) => write)).toEqual(TERMS.map(({ write }) => write));
});
