import { readFile } from "node:fs/promises";
import {
  assertObjectType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  validate,
} from "graphql";
import { describe, expect, it } from "vitest";
import { generateFiles } from "../../codegen.ts";
import { buildPublicSchema, buildSchema } from "../../schema/schema.ts";
import { ERROR_CODES } from "../../src/platform/error-codes.ts";

const schema = buildSchema();
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith("__"));
const BUILT_IN = new Set(["String", "Boolean", "Int", "Float", "ID"]);

it("every generated file is current (else: npm run codegen)", async () => {
  for (const [file, content] of await generateFiles()) {
    expect(await readFile(file, "utf8"), `${file} is stale: run \`npm run codegen\`, then commit it`).toBe(content);
  }
});

it("every type, field, argument and enum value has a description", () => {
  const undescribed: string[] = [];
  const check = (path: string, { description }: { description?: string | null | undefined }) => {
    if (!description) undescribed.push(path);
  };
  for (const type of types) {
    if (BUILT_IN.has(type.name)) continue;
    check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!(isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const argument of (field as GraphQLField<unknown, unknown>).args ?? []) {
        check(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
  }
  expect(undescribed).toEqual([]);
});

it("ErrorCode has the service's error codes", () => {
  const codes = schema.getType("ErrorCode");
  expect(isEnumType(codes) && codes.getValues().map(({ value }) => value)).toEqual([...ERROR_CODES]);
});

/** Result types shared by several mutations. */
const SHARED: Readonly<Record<string, string>> = {
  cancelAccountRecovery: "AccountRecoverySuccess",
  completeEmailSignIn: "SignInSuccess",
  completePasskeySignIn: "SignInSuccess",
  completePasskeySignUp: "SignInSuccess",
  confirmAdministratorProposal: "DecideAdministratorProposalSuccess",
  proxyChat: "CompleteChatSuccess",
  rejectAdministratorProposal: "DecideAdministratorProposalSuccess",
  resendAccountRecovery: "AccountRecoverySuccess",
  startAccountRecovery: "AccountRecoverySuccess",
  startPasskeySignUp: "StartPasskeyRegistrationSuccess",
};

describe("mutations", () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

  it.each(mutations.map((field) => [field.name, field] as const))(
    "%s accepts one input or none, and returns its success type or an Error",
    (name, field) => {
      const pascal = name[0]?.toUpperCase() + name.slice(1);
      const args = field.args.map(({ name: argument, type }) => [argument, String(type)]);
      expect([[], [["input", `${pascal}Input!`]]]).toContainEqual(args);
      const result = getNamedType(field.type);
      if (!isUnionType(result)) throw new Error(`${result.name} is not a union`);
      expect(result.name).toBe(`${pascal}Result`);
      for (const member of result.getTypes()) {
        const isError = member.getInterfaces().some((one) => one.name === "Error");
        expect(isError || [`${pascal}Success`, SHARED[name]].includes(member.name), member.name).toBe(true);
      }
    },
  );

  it("that move money have the extension movesMoney", () => {
    const names = mutations.filter(({ extensions }) => extensions["movesMoney"] === true).map(({ name }) => name);
    expect(names.toSorted()).toEqual([
      "callPaidTool",
      "completeChat",
      "dispatchOrder",
      "payPurchaseToken",
      "proxyChat",
      "sendTokens",
      "signPayment",
      "trade",
      "x402Fetch",
    ]);
  });
});

it("a field has the same type in all members of a union", () => {
  for (const union of types.filter(isUnionType)) {
    const fieldTypes = new Map<string, string>();
    for (const member of union.getTypes()) {
      for (const field of Object.values(assertObjectType(member).getFields())) {
        const type = String(field.type);
        expect(fieldTypes.get(field.name) ?? type, `${union.name}: ${member.name}.${field.name}`).toBe(type);
        fieldTypes.set(field.name, type);
      }
    }
  }
});

describe("the public schema", () => {
  const rootsOf = (of: GraphQLSchema) => [of.getQueryType(), of.getMutationType(), of.getSubscriptionType()];
  const fieldsOf = (of: GraphQLSchema) => rootsOf(of).flatMap((root) => Object.keys(root?.getFields() ?? {}));
  const [complete, open] = [buildSchema(), buildPublicSchema()];
  const internal = fieldsOf(complete).filter((name) => !fieldsOf(open).includes(name));

  it("has all fields except those of the OAuth and OpenAI routes", () => {
    expect(internal.toSorted()).toEqual([
      "allModels",
      "authorizationServer",
      "beginAuthorization",
      "beginDeviceAuthorization",
      "continueAuthorization",
      "introspectOAuthToken",
      "issueOAuthToken",
      "proxyChat",
      "pushAuthorizationRequest",
      "registerDynamicClient",
      "revokeOAuthToken",
    ]);
  });

  it("has no type of which a name of those fields is a part", () => {
    const parts = internal.map((name) => name.slice(0, 1).toUpperCase() + name.slice(1));
    const names = Object.keys(open.getTypeMap());
    expect(names.filter((name) => parts.some((part) => name.startsWith(part)))).toEqual([]);
    expect(Object.keys(complete.getTypeMap())).toContain("ProxyChatInput");
  });

  it.each(internal)("rejects %s, also in fragments and with an alias", (name) => {
    for (const root of rootsOf(open)) {
      if (!root) continue;
      const kind = root.name.toLowerCase();
      for (const selection of [name, `a: ${name}`, `...F } fragment F on ${root.name} { ${name}`]) {
        const errors = validate(open, parse(`${kind} { ${selection} }`));
        expect(errors.map(({ message }) => message)).toContainEqual(expect.stringContaining("Cannot query field"));
      }
    }
  });
});
