/** The type of a tool: what a model reads, the GraphQL document that it runs, and the function that runs it. */
import type { Readable } from "node:stream";
import type { DocumentNode } from "graphql";
import type { z } from "zod";
import type { DataWithoutErrors, TypedDocument } from "../src/platform/graphql/typed-document.ts";
import type { Group } from "./groups.ts";
import type { Handles } from "./handles.ts";
import type { CallRecords } from "./records.ts";
import type { Subject } from "./tool-error.ts";

/** The response of another server that the operation passes on, outside of its result. */
export interface RelayedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Readable | string;
}

/** A request to another server. Its bytes are sent unchanged. */
export interface RelayedRequest {
  readonly body: { readonly bytes: Uint8Array; readonly contentType: string } | null;
  onBody(response: RelayedResponse): void;
}

/** What a tool may use during one call. */
export interface ToolCall<Data, Variables> {
  /**
   * Runs the tool's document for the caller and returns its data.
   * @throws {ToolError} for errors outside of result unions
   */
  run(variables: Variables, relayed?: RelayedRequest): Promise<DataWithoutErrors<Data>>;
  /**
   * Returns the owner's words that confirm a statement, by a form of the client. Null if the client has no forms.
   * @param describe returns the statement; not called if the client has no forms
   * @throws {ConfirmationRequired} if the client must show the form first
   * @throws {ToolError} if the owner did not confirm
   */
  confirm(describe: () => Promise<string>): Promise<string | null>;
  /** What earlier calls of the caller left behind. */
  readonly records: CallRecords;
  /** Handles that this service creates for one purchase, bound to the caller. */
  readonly handles: Handles;
  /** URL of the owner's pages, without a trailing slash. */
  readonly dashboardUrl: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * What a call changes.
 * - `none`: it only reads
 * - `adds`: it adds or changes what can be undone, such as a request to the owner
 * - `spends`: it moves money, or does what cannot be undone
 */
export type Effect = "none" | "adds" | "spends";

export interface Tool<Input = unknown, Data = unknown, Variables = unknown> {
  /** `verb_noun`; a name never changes its meaning. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What failures make a statement about. Default: money, if the tool spends. */
  readonly affects?: Subject;
  /** `always` tools are in every list. */
  readonly group: Group | "always";
  readonly effect: Effect;
  /** Whether the same arguments have no further effect, as with a handle that is consumed once. */
  readonly isIdempotent: boolean;
  /** Whether the call reaches servers of others than this service. */
  readonly isOpenWorld: boolean;
  /** A strict object: an unknown argument is refused. */
  readonly input: z.ZodObject;
  /** Null for tools that relay what another server sent. */
  readonly output: z.ZodObject | null;
  readonly document: TypedDocument<Data, Variables>;
  /**
   * Carries out a call and returns the result's JSON.
   * @throws {ToolError}
   */
  call(input: Input, call: ToolCall<Data, Variables>): Promise<object>;
}

/** Checks the types of a tool's members against each other, then erases them. */
export function defineTool<Input extends z.ZodObject, Data, Variables>(
  tool: Omit<Tool<z.output<Input>, Data, Variables>, "input"> & { readonly input: Input },
): Tool {
  return tool as unknown as Tool;
}

/** A tool's document, without the types of its variables and data. */
export type ToolDocument = Pick<Tool, "name"> & { readonly document: DocumentNode };
