/** `resources/list`, `resources/templates/list` and `resources/read`. */
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { describeError } from "../../src/platform/error-codes.ts";
import { UNEXPECTED_TEXT } from "../../src/platform/http/error-response.ts";
import { fitResult } from "../result.ts";
import { type CallingRequest, callTool } from "../run-tool.ts";
import { ToolError, toToolError } from "../tool-error.ts";
import type { ResourceEntry } from "./kinds.ts";
import { formatUri, parseUri } from "./uri.ts";

const JSON_TYPE = "application/json";

/** The cursors of the kinds that have a next page, by name. */
const Cursors = z.record(z.string(), z.string());

/**
 * Returns the lists of all kinds, and the newest objects of each. A next page has older ones.
 * @throws {ProtocolError} for a cursor that is none of this list
 */
export async function listResources(
  entries: readonly ResourceEntry[],
  cursor: string | undefined,
  request: CallingRequest,
): Promise<ListResourcesResult> {
  const cursors = cursor === undefined ? null : readCursors(cursor);
  const resources: ListResourcesResult["resources"] = cursors === null ? entries.map(describeList) : [];
  const next: Record<string, string> = {};
  for (const entry of entries) {
    const { kind } = entry;
    const from = cursors?.[kind.name];
    if (cursors !== null && from === undefined) continue;
    const page = await readPage(entry, from, request);
    resources.push(
      ...page.items.map(({ id, title, createdAt }) => ({
        uri: formatUri(kind.name, id),
        name: id,
        title,
        description: `Created ${createdAt}.`,
        mimeType: JSON_TYPE,
      })),
    );
    if (page.nextCursor !== null) next[kind.name] = page.nextCursor;
  }
  const hasNext = Object.keys(next).length > 0;
  return { resources, ...(hasNext ? { nextCursor: Buffer.from(JSON.stringify(next)).toString("base64url") } : {}) };
}

export function listResourceTemplates(entries: readonly ResourceEntry[]): ListResourceTemplatesResult {
  return {
    resourceTemplates: entries.map(({ kind }) => ({
      uriTemplate: `${formatUri(kind.name)}/{id}${kind.itemQuery}`,
      name: kind.itemTitle.toLowerCase(),
      title: kind.itemTitle,
      description: kind.itemTool.description,
      mimeType: JSON_TYPE,
    })),
  };
}

/** @throws {ProtocolError} if there is no such resource, or it cannot be read */
export async function readResource(
  entries: readonly ResourceEntry[],
  text: string,
  request: CallingRequest,
): Promise<ReadResourceResult> {
  const uri = parseUri(text);
  const entry = entries.find(({ kind }) => kind.name === uri?.name);
  if (!uri || !entry) throw new ResourceNotFoundError(text);
  const { id, parameters } = uri;
  const [called, input] = id === null ? [entry.list, parameters] : [entry.item, { ...parameters, id }];
  const json = await callTool(called, input, request).catch((error) => {
    const known = toToolError(error);
    if (known?.failure.code === "not_found") throw new ResourceNotFoundError(text);
    throw known ? toProtocolError(known) : unexpectedError(error, called.tool.name, request);
  });
  return { contents: [{ uri: text, mimeType: JSON_TYPE, text: fitResult(json).text }] };
}

function describeList({ kind }: ResourceEntry): ListResourcesResult["resources"][number] {
  const { name, title, listTool } = kind;
  return { uri: formatUri(name), name, title, description: listTool.description, mimeType: JSON_TYPE };
}

async function readPage({ kind, list }: ResourceEntry, cursor: string | undefined, request: CallingRequest) {
  try {
    const result = await callTool(list, cursor === undefined ? {} : { cursor }, request);
    const { next_cursor: nextCursor } = result as { next_cursor: string | null };
    return { items: kind.itemsOf(result), nextCursor };
  } catch (error) {
    const known = toToolError(error);
    if (known && known.failure.code === kind.absentCode) return { items: [], nextCursor: null };
    throw known ? toProtocolError(known) : unexpectedError(error, list.tool.name, request);
  }
}

function readCursors(text: string): Readonly<Record<string, string>> {
  try {
    return Cursors.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "cursor must be the nextCursor of the previous page.");
  }
}

function toProtocolError({ failure: { code, message, field } }: ToolError): ProtocolError {
  const isInvalid = code === "invalid_request";
  const data = { code, ...(field ? { field } : {}), next_step: describeError(code).nextStep };
  return new ProtocolError(
    isInvalid ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    message,
    data,
  );
}

function unexpectedError(error: unknown, tool: string, request: CallingRequest): ProtocolError {
  request.report(error, tool);
  return toProtocolError(new ToolError({ code: "internal_error", message: UNEXPECTED_TEXT }));
}
