import { readFile } from "node:fs/promises";
import {
  assertObjectType,
  type GraphQLField,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from "graphql";
import { describe, expect, it } from "vitest";
import { generateFiles } from "../../codegen.ts";
import { buildSchema } from "../../schema/schema.ts";
import { ERROR_CODES } from "../../src/platform/error-codes.ts";

const schema = buildSchema();
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
const BUILT_IN = new Set(["String", "Boolean", "Int", "Float", "ID"]);

it("every generated file is current (else: npm run codegen)", async () => {
  for (const [file, content] of await generateFiles()) {
    expect(await readFile(file, "utf8"), `${file} is stale: run \`npm run codegen\`, then commit it`).toBe(content);
  }
});

it("every type, field, argument and value is described", () => {
  const silent: string[] = [];
  const note = (path: string, { description }: { description?: string | null | undefined }) => {
    if (!description) silent.push(path);
  };
  for (const type of types) {
    if (BUILT_IN.has(type.name)) continue;
    note(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (!(isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))) continue;
    for (const field of Object.values(type.getFields())) {
      note(`${type.name}.${field.name}`, field);
      for (const argument of (field as GraphQLField<unknown, unknown>).args ?? []) {
        note(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
  }
  expect(silent).toEqual([]);
});

it("the codes are the service's codes", () => {
  const codes = schema.getType("ErrorCode");
  expect(isEnumType(codes) && codes.getValues().map(({ name }) => name)).toEqual([...ERROR_CODES]);
});

/** Several ways that lead to the same. */
const SHARED: Readonly<Record<string, string>> = {
  completeEmailSignIn: "SignInSuccess",
  completePasskeySignIn: "SignInSuccess",
  completePasskeySignUp: "SignInSuccess",
  startPasskeySignUp: "StartPasskeyRegistrationSuccess",
};

describe("mutations", () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

  it.each(mutations.map((field) => [field.name, field] as const))(
    "%s takes one input, or none when there is nothing to say, and answers its success or an Error",
    (name, field) => {
      const pascal = name[0]?.toUpperCase() + name.slice(1);
      const args = field.args.map(({ name: argument, type }) => [argument, String(type)]);
      expect([[], [["input", `${pascal}Input!`]]]).toContainEqual(args);
      const result = getNamedType(field.type);
      if (!isUnionType(result)) throw new Error(`${result.name} is no union`);
      expect(result.name).toBe(`${pascal}Result`);
      for (const member of result.getTypes()) {
        const isError = member.getInterfaces().some((one) => one.name === "Error");
        expect(isError || [`${pascal}Success`, SHARED[name]].includes(member.name), member.name).toBe(true);
      }
    },
  );

  it("those that move money say so", () => {
    const moving = mutations.filter(({ extensions }) => extensions["movesMoney"] === true).map(({ name }) => name);
    expect(moving.toSorted()).toEqual([
      "completeChat",
      "dispatchOrder",
      "payPurchaseToken",
      "sendTokens",
      "signPayment",
      "trade",
      "x402Fetch",
    ]);
  });
});

it("members of one union never give a field two types", () => {
  for (const union of types.filter(isUnionType)) {
    const seen = new Map<string, string>();
    for (const member of union.getTypes()) {
      for (const field of Object.values(assertObjectType(member).getFields())) {
        const type = String(field.type);
        expect(seen.get(field.name) ?? type, `${union.name}: ${member.name}.${field.name}`).toBe(type);
        seen.set(field.name, type);
      }
    }
  }
});
