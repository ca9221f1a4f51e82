/** The table of tools, prepared once for a schema: compiled documents, the access that they require, and what lists state. */
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { type FragmentDefinitionNode, type GraphQLSchema, getOperationAST, Kind } from "graphql";
import { z } from "zod";
import type { Access } from "../schema/access/access-table.ts";
import { accessesOfOperation, scopesOfAccesses } from "../schema/access/operation-access.ts";
import { type CompiledOperation, compileOperation } from "../src/platform/graphql/compile-operation.ts";
import type { Tool } from "./tool.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

export interface CatalogEntry {
  readonly tool: Tool;
  readonly run: CompiledOperation<Record<string, unknown>>;
  /** What the fields of the document require, from the access table. */
  readonly accesses: readonly Access[];
  /** Scopes that a token needs where scopes are enforced. */
  readonly scopes: readonly string[];
  readonly inputSchema: JsonSchema & { readonly properties: Readonly<Record<string, object>> };
  readonly outputSchema: JsonSchema | null;
  /** The tool in `tools/list`. */
  readonly listed: ListedTool;
}

export function createCatalog(schema: GraphQLSchema, tools: readonly Tool[]): readonly CatalogEntry[] {
  return tools.map((tool) => {
    const accesses = accessesOfTool(schema, tool);
    const inputSchema = { properties: {}, ...toJsonSchema(tool.input, "input") };
    const outputSchema = tool.output && toJsonSchema(tool.output, "output");
    return {
      tool,
      run: compileOperation(schema, tool.document),
      accesses,
      scopes: scopesOfAccesses(accesses),
      inputSchema,
      outputSchema,
      listed: {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema,
        annotations: annotationsOf(tool),
        ...(outputSchema ? { outputSchema } : {}),
      } as ListedTool,
    };
  });
}

/** Returns all four annotations: the defaults mean destructive and open-world. */
export function annotationsOf({ effect, isIdempotent, isOpenWorld }: Tool) {
  return {
    readOnlyHint: effect === "none",
    destructiveHint: effect === "spends",
    idempotentHint: isIdempotent,
    openWorldHint: isOpenWorld,
  };
}

function accessesOfTool(schema: GraphQLSchema, { name, document }: Tool): readonly Access[] {
  const operation = getOperationAST(document);
  if (!operation) throw new Error(`The document of ${name} must have one operation.`);
  const fragments = document.definitions.filter(
    (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  return accessesOfOperation({
    operation,
    fragments: Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment])),
    schema,
  });
}

/** Returns a schema without what every reader of tools knows, since a model pays for each token of it. */
function toJsonSchema(type: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io });
  return schema;
}
