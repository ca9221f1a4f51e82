/** The Pothos builder that every file of the schema adds to. */
import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import DataloaderPlugin from "@pothos/plugin-dataloader";
import ErrorsPlugin from "@pothos/plugin-errors";
import PrismaPlugin from "@pothos/plugin-prisma";
import RelayPlugin, { resolveNodes } from "@pothos/plugin-relay";
import ScopeAuthPlugin from "@pothos/plugin-scope-auth";
import { GraphQLError } from "graphql";
import type PrismaTypes from "../generated/pothos-types.ts";
import { getDatamodel } from "../generated/pothos-types.ts";
import { UnauthorizedError } from "../src/platform/errors.ts";
import { ACCESS_GATE } from "./access/access-gate.ts";
import { NODE_ACCESS } from "./access/access-table.ts";
import { requireAccess } from "./access/require-access.ts";
import { ARGUMENT_VALIDATION } from "./argument-validation.ts";
import type { Context } from "./context.ts";
import { FREEZE_GATE } from "./freeze-gate.ts";
import { decodeGlobalId, type NodeName } from "./global-id.ts";
import { loadNodes } from "./node.ts";

/** A page of 100 transactions with every field costs about 2,500. */
export const MAX_COMPLEXITY = 5_000;

interface SchemaTypes {
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  /** `payer`: any credential accepted by the fetch proxy, including purchase tokens. `account`: no purchase tokens. */
  AuthScopes: { account: boolean; payer: boolean };
  Scalars: {
    ID: { Input: string; Output: string | number | bigint };
    /** Micro-USD internally, a decimal string in GraphQL. */
    Usd: { Input: bigint; Output: bigint };
    AtomicAmount: { Input: bigint; Output: bigint };
    /** An integer in the minor unit of the accompanying currency. */
    MinorAmount: { Input: number; Output: number };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
    Url: { Input: string; Output: string };
    NetworkName: { Input: string; Output: string };
    CountryCode: { Input: string; Output: string };
    CurrencyCode: { Input: string; Output: string };
    /** A decimal string. */
    Decimal: { Input: string; Output: string };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  // `errors` precedes `prisma`: otherwise a field's result union hides its selections from Prisma. It also precedes the validation,
  // whose errors it returns. `complexity` precedes the plugins that check the caller, as the other operation limits do. The check
  // of the caller precedes the validation.
  plugins: [
    ErrorsPlugin,
    ComplexityPlugin,
    ScopeAuthPlugin,
    FREEZE_GATE,
    ACCESS_GATE,
    ARGUMENT_VALIDATION,
    RelayPlugin,
    DataloaderPlugin,
    PrismaPlugin,
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
    nodeQueryOptions: {
      resolve(_root, { id }, context, _info, resolveNode) {
        requireNodeAccess(id, context);
        return resolveNode(id) as never;
      },
    },
    nodesQueryOptions: {
      // Each id is a separate look-up: 100 ids cost the maximum of an operation.
      complexity: ({ ids }) => ({ field: ids.length * (MAX_COMPLEXITY / 100), multiplier: 1 }),
      extensions: { acceptsInvalidIds: true },
      resolve: (_root, { ids }, context, info): Promise<never[]> =>
        loadNodes(ids, (id): Promise<unknown[]> => {
          requireNodeAccess(id, context);
          return resolveNodes(builder, context, info, [id]);
        }),
    },
    decodeGlobalID: decodeGlobalId,
  },
  scopeAuth: {
    authScopes: ({ viewer }) => ({
      account: viewer?.kind === "account" && viewer.credentialKind !== "purchase_token",
      payer: viewer?.kind === "account",
    }),
    unauthorizedError: () => new UnauthorizedError(),
  },
  complexity: {
    defaultListMultiplier: 1,
    limit: (context) => (context.isTrusted ? {} : { complexity: MAX_COMPLEXITY }),
    complexityError: (_kind, { complexity, maxComplexity = MAX_COMPLEXITY }) =>
      new GraphQLError(
        `The operation costs ${complexity}; the limit is ${maxComplexity}. Request fewer items per page.`,
        {
          extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit: maxComplexity },
        },
      ),
  },
});

/** Checks that the caller may read objects of this type. An id of another type is left to the look-up. */
function requireNodeAccess({ typename }: { readonly typename: string }, context: Context): void {
  const access = NODE_ACCESS[typename as NodeName];
  if (access) requireAccess(access, context);
}

builder.queryType({ description: "Root type of queries." });
builder.mutationType({
  description: "Root type of mutations. An operation may contain one mutation that moves money.",
});
builder.subscriptionType({ description: "Root type of subscriptions." });

/** Field builder of an input type, for fields shared by several inputs. */
export type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  "InputObject"
>;
