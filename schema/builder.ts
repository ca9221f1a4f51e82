/** The Pothos builder that every file of the schema adds to. */
import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import DataloaderPlugin from "@pothos/plugin-dataloader";
import ErrorsPlugin from "@pothos/plugin-errors";
import PrismaPlugin from "@pothos/plugin-prisma";
import RelayPlugin from "@pothos/plugin-relay";
import ScopeAuthPlugin from "@pothos/plugin-scope-auth";
import ValidationPlugin from "@pothos/plugin-validation";
import { GraphQLError } from "graphql";
import type PrismaTypes from "../generated/pothos-types.ts";
import { getDatamodel } from "../generated/pothos-types.ts";
import { InvalidRequestError, UnauthorizedError } from "../src/platform/errors.ts";
import type { Context } from "./context.ts";
import { readGlobalId } from "./global-id.ts";

/** A page of 100 transactions with every field costs about 2,500. */
const MAX_COMPLEXITY = 5_000;

interface SchemaTypes {
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  /** `payer`: whoever may call the fetch proxy, with a purchase token too. */
  AuthScopes: { account: boolean; payer: boolean };
  Scalars: {
    ID: { Input: string; Output: string | number | bigint };
    /** Micro-USD inside, a decimal string outside. */
    Usd: { Input: bigint; Output: bigint };
    AtomicAmount: { Input: bigint; Output: bigint };
    /** An integer in the minor unit of the currency beside it. */
    MinorAmount: { Input: number; Output: number };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    Url: { Input: string; Output: string };
    NetworkName: { Input: string; Output: string };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  // errors stands before prisma, or a field's result union hides what is selected in it; complexity before all that asks who
  // is calling, as the other limits of an operation do.
  plugins: [
    ErrorsPlugin,
    ComplexityPlugin,
    ScopeAuthPlugin,
    RelayPlugin,
    DataloaderPlugin,
    PrismaPlugin,
    ValidationPlugin,
  ],
  defaultFieldNullability: false,
  errors: { defaultTypes: [], directResult: true, unsafelyHandleInputErrors: true },
  prisma: {
    client: (context) => context.deps.db.prisma,
    dmmf: getDatamodel(),
    onUnusedQuery: null,
  },
  relay: {
    clientMutationId: "omit",
    cursorType: "String",
    edgesFieldOptions: { nullable: { list: false, items: false } },
    nodeFieldOptions: { nullable: false },
    // Each id is a look-up of its own: a hundred are as dear as an operation may be.
    nodesQueryOptions: { complexity: ({ ids }) => ({ field: ids.length * (MAX_COMPLEXITY / 100), multiplier: 1 }) },
    decodeGlobalID: readGlobalId,
  },
  scopeAuth: {
    authScopes: ({ viewer }) => ({
      account: viewer?.kind === "account" && viewer.credentialKind !== "purchase_token",
      payer: viewer?.kind === "account",
    }),
    unauthorizedError: () => new UnauthorizedError(),
  },
  validation: {
    validationError: ({ issues }) => {
      const [issue] = issues;
      const path = (issue?.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
      if (path[0] === "input" || path[0] === "filter") path.shift();
      const field =
        path
          .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`))
          .join("") || null;
      return new InvalidRequestError(`${field ?? "The input"} ${issue?.message ?? "is not valid"}.`, field);
    },
  },
  complexity: {
    defaultListMultiplier: 1,
    limit: (context) => (context.isTrusted ? {} : { complexity: MAX_COMPLEXITY }),
    complexityError: (_kind, { complexity, maxComplexity = MAX_COMPLEXITY }) =>
      new GraphQLError(
        `The operation costs ${complexity}; the limit is ${maxComplexity}. Ask for fewer items a page.`,
        {
          extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit: maxComplexity },
        },
      ),
  },
});

builder.queryType({ description: "What a caller may read." });
builder.mutationType({ description: "What a caller may do. An operation may move money once." });
builder.subscriptionType({ description: "What a caller may watch." });

/** What the fields of an input type are made with, for fields that several inputs share. */
export type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  "InputObject"
>;
