/** Generates GraphQL requests of a schema that are valid except for some faults, for fuzzing. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isUnionType,
  OperationTypeNode,
} from "graphql";

const NAMES = ["A", "B", "__proto__", "constructor", "toString", "hasOwnProperty", "on", "nope", "__typename", "x1"];
const STRINGS = [
  "",
  "a",
  "true",
  "\u0000",
  "😀é\u202e",
  "x".repeat(2_000),
  " ".repeat(500),
  "Transaction:1",
  btoa("Transaction:tx_1"),
  "2026-02-30T00:00:00Z",
  "1e400",
  "0.01",
  "https://a.example/?a=b#c",
  "__proto__",
  "PersistedQueryNotFound",
];
const NUMBERS = ["0", "-0", "1", "-1", "100", "2147483648", "9007199254740993", "1e400", "-1e-400", "0.1", "1e3"];
const JSON_NUMBERS = ["0", "-0", "1", "101", "2147483648", "9007199254740993", "1e400", "0.1", "-5"];

/** Source of decisions for one case. */
interface Decisions {
  pick<T>(values: readonly T[]): T;
  count(from: number, to: number): number;
  /** True in one of `oneIn` decisions. */
  chance(oneIn: number): boolean;
  /** As `chance`, for faults. Half of the cases have none. */
  fault(oneIn: number): boolean;
}

/** Returns the text of a request body: an operation, a batch or malformed JSON. */
export function requestBodies(schema: GraphQLSchema): fc.Arbitrary<string> {
  return cases((decide) => {
    if (decide.fault(20)) return mutateText(decide, createParams(schema, decide));
    if (!decide.chance(8)) return createParams(schema, decide);
    const entries = Array.from({ length: decide.count(0, 7) }, () => createParams(schema, decide));
    return `[${entries.join()}]`;
  });
}

/** Returns the parameters of one request as names and texts, for a query string or form. */
export function requestParameters(schema: GraphQLSchema): fc.Arbitrary<[string, string][]> {
  return cases((decide) => {
    const members = createMembers(schema, decide);
    return members.map(([name, json]) => {
      const value = JSON.parse(json);
      const text = typeof value === "string" ? value : json;
      return [name, decide.fault(20) ? mutateText(decide, text) : text];
    });
  });
}

/** Returns the text of the payload of a `subscribe` message that graphql-ws accepts. */
export function subscribePayloads(schema: GraphQLSchema): fc.Arbitrary<string> {
  return cases((decide) => {
    const permitted = new Map([
      ["query", /^"/],
      ["operationName", /^("|null)/],
      ["variables", /^(\{|null)/],
      ["extensions", /^(\{|null)/],
    ]);
    const members = createMembers(schema, decide).filter(([name, json]) => permitted.get(name)?.test(json) ?? true);
    if (!members.some(([name]) => name === "query")) members.push(["query", '"{ __typename }"']);
    return toJson(members);
  });
}

const MESSAGES = [
  '{"type":"ping"}',
  '{"type":"ping","payload":{"a":[1]}}',
  '{"type":"pong"}',
  '{"type":"complete","id":"1"}',
  '{"type":"complete","id":"__proto__"}',
  '{"type":"connection_init"}',
  '{"type":"connection_ack"}',
  '{"type":"next","id":"1","payload":{}}',
  '{"type":"error","id":"1","payload":[]}',
  '{"type":"unknown"}',
  '{"type":5}',
  '{"type":"subscribe","id":"","payload":{"query":"{ __typename }"}}',
  '{"type":"subscribe","id":"1","payload":[]}',
  "[]",
  "null",
  "",
];

/** Returns messages of a socket, most of which the protocol does not permit. */
export function socketFrames(schema: GraphQLSchema): fc.Arbitrary<{ text: string; isBinary: boolean }> {
  return cases((decide) => {
    const id = JSON.stringify(decide.pick(["1", "2", "__proto__", "é".repeat(100), "constructor"]));
    const subscribe = `{"type":"subscribe","id":${id},"payload":${createParams(schema, decide)}}`;
    const deep = decide.count(1, 20_000);
    const text = decide.chance(2)
      ? subscribe
      : decide.chance(8)
        ? `{"type":"ping","payload":{"a":${"[".repeat(deep)}${"]".repeat(deep)}}}`
        : decide.pick(MESSAGES);
    return { text: decide.chance(5) ? mutateText(decide, text) : text, isBinary: decide.chance(10) };
  });
}

function cases<T>(create: (decide: Decisions) => T): fc.Arbitrary<T> {
  return fc.infiniteStream(fc.nat()).map((numbers) => {
    const count = (min: number, max: number) => min + (numbers.next().value % (max - min + 1));
    const chance = (oneIn: number) => count(1, oneIn) === 1;
    const isFaulty = chance(2);
    return create({
      count,
      chance,
      pick: (values) => values[count(0, values.length - 1)] as never,
      fault: (oneIn) => isFaulty && chance(oneIn),
    });
  });
}

function mutateText(decide: Decisions, text: string): string {
  const start = decide.count(0, text.length);
  const end = Math.min(text.length, start + decide.count(0, 6));
  const inserted = decide.pick([
    "",
    "{",
    "}",
    '"',
    "\\u",
    "\u0000",
    "$",
    "...",
    "@",
    ":",
    "[",
    "\ud800",
    text.slice(end, end + 20),
  ]);
  return text.slice(0, start) + inserted + text.slice(end);
}

function createParams(schema: GraphQLSchema, decide: Decisions): string {
  if (decide.fault(40))
    return decide.pick(["null", "1", '"a"', "[]", "{}", '{"__proto__":{"query":"{ __typename }"}}']);
  return toJson(createMembers(schema, decide));
}

function toJson(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

/** Returns names and JSON texts of a request's parameters. */
function createMembers(schema: GraphQLSchema, decide: Decisions): [string, string][] {
  const { text, variables, operationNames } = createDocument(schema, decide);
  const query = decide.fault(6) ? mutateText(decide, text) : text;
  const hash = createHash("sha256")
    .update(decide.fault(3) ? "other" : query)
    .digest("hex");
  const persisted = `{"persistedQuery":{"version":${decide.fault(5) ? 2 : 1},"sha256Hash":"${hash}"}}`;
  const isByHash = decide.chance(15);
  const members: [string, string][] = [];
  if (!isByHash || decide.chance(2))
    members.push(["query", decide.fault(20) ? createJson(decide, 2) : JSON.stringify(query)]);
  if (isByHash) members.push(["extensions", persisted]);
  else if (decide.fault(10)) members.push(["extensions", createJson(decide, 3)]);
  if (variables.length > 0) members.push(["variables", decide.fault(15) ? createJson(decide, 3) : toJson(variables)]);
  if (operationNames.length > 1 || decide.fault(3)) {
    const names = decide.fault(2) ? NAMES : operationNames;
    members.push(["operationName", JSON.stringify(decide.pick(names))]);
  }
  if (decide.fault(15)) members.push([decide.pick(NAMES), createJson(decide, 2)]);
  return members;
}

type Scope = {
  schema: GraphQLSchema;
  decide: Decisions;
  /** Types of the variables that the operation uses. */
  variables: Map<string, string>;
  /** Types of the fragments that are spread. */
  fragments: Map<string, GraphQLCompositeType>;
  /** A fragment must not use variables that its operations do not define. */
  isFragment: boolean;
};

function createDocument(schema: GraphQLSchema, decide: Decisions) {
  const scope: Scope = { schema, decide, variables: new Map(), fragments: new Map(), isFragment: false };
  const count = decide.chance(10) ? decide.count(2, 3) : 1;
  const operationNames = Array.from({ length: count }, (_, index) =>
    decide.fault(6) ? decide.pick(NAMES) : count > 1 || decide.chance(3) ? `Q${index}` : "",
  );
  const operations = operationNames.map((name) => createOperation(scope, name));
  const composites = Object.values(schema.getTypeMap()).filter(isCompositeType);
  const fragments: string[] = [];
  scope.isFragment = true;
  // Fragments may spread further ones.
  for (const [name, type] of scope.fragments) {
    const on = decide.fault(6) ? decide.pick(composites) : type;
    if (!decide.fault(10)) fragments.push(`fragment ${name} on ${on.name} ${createSelection(scope, on, 1)}`);
  }
  const variables = [...scope.variables]
    .filter(() => !decide.fault(6))
    .map(([name, type]) => [name, createJsonOf(schema, decide, type)] as const);
  return { text: [...operations, ...fragments].join("\n"), variables, operationNames };
}

function createOperation(scope: Scope, name: string): string {
  const { schema, decide } = scope;
  scope.variables.clear();
  const kind = decide.pick(["query", "query", "query", "subscription", "subscription", "mutation"] as const);
  const root = schema.getRootType(OperationTypeNode[kind.toUpperCase() as "QUERY" | "MUTATION" | "SUBSCRIPTION"]);
  if (!root) return "{ __typename }";
  const depth = decide.fault(20) ? 14 : decide.count(1, 4);
  const selection =
    kind === "subscription" && !decide.fault(4)
      ? `{ ${createField(scope, decide.pick(Object.values(root.getFields())), depth)} }`
      : createSelection(scope, root, depth);
  const defined = [...scope.variables].map(([variable, type]) => {
    const value = decide.fault(8) ? ` = ${createLiteral(scope, null)}` : "";
    return `$${variable}: ${type}${value}${decide.fault(40) ? " @skip(if: true)" : ""}`;
  });
  const header = defined.length > 0 && !decide.fault(20) ? ` (${defined.join(", ")})` : "";
  return `${kind} ${name}${header}${decide.fault(10) ? createDirective(scope) : ""} ${selection}`;
}

function createSelection(scope: Scope, type: GraphQLCompositeType, depth: number): string {
  const { decide } = scope;
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const selections = Array.from({ length: decide.count(1, 3) }, () => {
    const directive = decide.chance(12) ? createDirective(scope) : "";
    if (decide.chance(12)) return `...${createSpread(scope, type)}${directive}`;
    if (depth > 0 && (isUnionType(type) || decide.chance(12))) {
      const on = isUnionType(type) ? decide.pick(type.getTypes()) : type;
      return `... on ${on.name}${directive} ${createSelection(scope, on, depth - 1)}`;
    }
    if (fields.length === 0 || decide.fault(15)) return decide.pick(["__typename", "__typename", ...NAMES]);
    return createField(scope, decide.pick(fields), depth, directive);
  });
  if (decide.fault(60)) selections.push(`${"... { ".repeat(90)}__typename${" }".repeat(90)}`);
  return `{ ${selections.join(" ")} }`;
}

function createField(scope: Scope, field: GraphQLField<unknown, unknown>, depth: number, directive = ""): string {
  const { decide } = scope;
  const given = field.args.filter(({ type }) => (isNonNullType(type) ? !decide.fault(20) : decide.chance(4)));
  const texts = given.map(({ name, type }) => `${name}: ${createArgument(scope, type)}`);
  if (decide.fault(30)) texts.push(`${decide.pick(NAMES)}: ${createLiteral(scope, null)}`);
  const args = texts.length > 0 ? `(${texts.join(", ")})` : "";
  // An alias avoids a conflict with the same field with other arguments.
  const alias = decide.fault(8) ? `${decide.pick(NAMES)}: ` : args ? `a${decide.count(0, 1_000_000)}: ` : "";
  const type = getNamedType(field.type);
  const hasSelection = isCompositeType(type) !== decide.fault(30);
  const inner = isCompositeType(type) && depth > 0 ? createSelection(scope, type, depth - 1) : "{ __typename }";
  return `${alias}${field.name}${args}${directive} ${hasSelection ? inner : ""}`;
}

function createSpread({ decide, fragments }: Scope, type: GraphQLCompositeType): string {
  if (decide.fault(4)) return decide.pick(["F0", "F1", "nope", "__proto__"]);
  const [found] = [...fragments].find(([, on]) => on === type) ?? [];
  // A fragment that is spread within itself is a fault.
  if (found !== undefined && decide.fault(2)) return found;
  const name = fragments.size === 0 ? decide.pick(["F0", "__proto__"]) : `F${fragments.size}`;
  if (fragments.size < 6) fragments.set(name, type);
  return name;
}

function createArgument(scope: Scope, type: GraphQLInputType): string {
  return usesVariable(scope, 3) ? createVariable(scope, String(type)) : createLiteral(scope, type);
}

function usesVariable({ decide, isFragment }: Scope, oneIn: number): boolean {
  return decide.chance(oneIn) && (!isFragment || decide.fault(4));
}

function createVariable({ decide, variables }: Scope, type: string): string {
  const name = decide.fault(15) ? decide.pick(NAMES) : `v${variables.size}`;
  const others = [type.replace(/!$/, ""), `[${type}]`, "Int", "Nope", "String!", "Query"];
  if (!variables.has(name)) variables.set(name, decide.fault(5) ? decide.pick(others) : type);
  return `$${name}`;
}

function createDirective(scope: Scope): string {
  const { decide } = scope;
  const name = decide.fault(6) ? decide.pick(["nope", "deprecated", "oneOf"]) : decide.pick(["skip", "include"]);
  if (decide.fault(10)) return ` @${name}`;
  const condition = decide.fault(6) ? decide.pick(["null", "5", '"a"']) : decide.pick(["true", "false"]);
  return ` @${name}(if: ${usesVariable(scope, 2) ? createVariable(scope, "Boolean!") : condition})`;
}

/** Returns a GraphQL value. @param type null for any value */
function createLiteral(scope: Scope, type: GraphQLInputType | null, depth = 4): string {
  const { decide } = scope;
  if (decide.fault(80)) return `${"[".repeat(110)}${"]".repeat(110)}`;
  if (type === null || decide.fault(12)) {
    const others = ["null", "true", "ENUM", "{}", "[]", '"""block \\""" a"""', "{ __proto__: 1, __proto__: 2 }"];
    return decide.pick([...others, decide.pick(NUMBERS), JSON.stringify(decide.pick(STRINGS))]);
  }
  if (isNonNullType(type)) return createLiteral(scope, type.ofType, depth);
  if (isListType(type)) {
    const entries = Array.from({ length: decide.count(0, 3) }, () => createLiteral(scope, type.ofType, depth));
    return `[${entries.join()}]`;
  }
  if (isEnumType(type)) return decide.pick(type.getValues()).name;
  if (!isInputObjectType(type)) return createScalar(decide, type.name);
  const members = chooseFields(decide, type, depth).map((field) => {
    const isVariable = usesVariable(scope, 12);
    return `${field.name}: ${isVariable ? createVariable(scope, String(field.type)) : createLiteral(scope, field.type, depth - 1)}`;
  });
  return `{ ${members.join(", ")} }`;
}

function chooseFields(decide: Decisions, type: GraphQLInputObjectType, depth: number) {
  const fields = Object.values(type.getFields());
  if (type.isOneOf && !decide.fault(4)) return [decide.pick(fields)];
  return fields.filter((field) => (isNonNullType(field.type) ? !decide.fault(12) : depth > 0 && decide.chance(3)));
}

/** Returns JSON for a type as it is written in a document. */
function createJsonOf(schema: GraphQLSchema, decide: Decisions, type: string, depth = 4): string {
  if (decide.fault(12)) return createJson(decide, 3);
  if (type.endsWith("!")) return createJsonOf(schema, decide, type.slice(0, -1), depth);
  if (decide.fault(10)) return "null";
  if (type.startsWith("[")) {
    const inner = type.slice(1, -1);
    const entries = Array.from({ length: decide.count(0, 3) }, () => createJsonOf(schema, decide, inner, depth));
    return `[${entries.join()}]`;
  }
  const named = schema.getType(type);
  if (isEnumType(named)) return JSON.stringify(decide.pick(named.getValues()).name);
  if (!isInputObjectType(named)) return createScalar(decide, type);
  const fields = chooseFields(decide, named, depth);
  return toJson(fields.map((field) => [field.name, createJsonOf(schema, decide, String(field.type), depth - 1)]));
}

/** Values of scalars that are valid both as JSON and as GraphQL values. */
const SCALARS = new Map([
  ["Boolean", ["true", "false"]],
  ["Int", ["0", "1", "3", "101", "2147483647", "-1"]],
  ["Float", ["0", "0.5", "-1e3"]],
  ["MinorAmount", ["1", "100", "9007199254740991"]],
  ["AtomicAmount", ['"1"', '"0"', '"340282366920938463463374607431768211455"']],
  ["Usd", ['"0.01"', '"0"', '"1000000"']],
  ["DateTime", ['"2026-05-01T00:00:00Z"', '"2099-12-31T23:59:59.999Z"']],
  ["NetworkName", ['"base-sepolia"', '"solana"', '"nope"']],
  ["Url", ['"https://a.example/?a=b"', '"http://127.0.0.1:1/"']],
  ["JSON", ['"a"', "1", "null", '[1, ["a", null]]']],
  ["ID", ['"a"', '"tx_1"', JSON.stringify(btoa("Transaction:tx_1")), JSON.stringify(btoa("Nope:1")), "5"]],
]);

function createScalar(decide: Decisions, type: string): string {
  if (decide.fault(6)) return decide.pick(JSON_NUMBERS);
  if (decide.fault(20)) return '"\\ud800"';
  const isText = decide.fault(6) || decide.chance(8);
  return isText
    ? JSON.stringify(decide.pick(STRINGS))
    : decide.pick(SCALARS.get(type) ?? STRINGS.map((text) => JSON.stringify(text)));
}

/** Returns any JSON. */
function createJson(decide: Decisions, depth: number): string {
  if (decide.chance(20)) return `${"[".repeat(150)}${"]".repeat(150)}`;
  if (depth > 0 && decide.chance(3)) {
    const [a, b] = [createJson(decide, depth - 1), createJson(decide, depth - 1)];
    return decide.chance(2) ? `[${a},${b}]` : `{${JSON.stringify(decide.pick(NAMES))}:${a},"toJSON":${b}}`;
  }
  return decide.pick(["null", "true", "{}", "[]", decide.pick(JSON_NUMBERS), JSON.stringify(decide.pick(STRINGS))]);
}
