/** The line of each request and of each operation on a WebSocket. It has no URL, header, body or credential. */
import type { Config } from "../config/load.ts";
import { formatLoggedAddress } from "../observability/logged-address.ts";
import { type Logger, writeInfoLine } from "../observability/logger.ts";

/** The authenticated caller of a request: an account with one of its credentials, or the operator. */
export type LoggedCaller =
  | {
      readonly kind: "account";
      readonly accountId: string;
      readonly credentialKind: string;
      readonly credentialId: string;
    }
  | { readonly kind: "operator" };

/** What only the code behind a route knows about a request. A Fastify request is one. */
export interface AccessNote {
  loggedCaller: LoggedCaller | null;
  /** Kind and root fields of a GraphQL operation; null for other routes. */
  loggedOperation: string | null;
}

declare module "fastify" {
  interface FastifyRequest {
    loggedCaller: LoggedCaller | null;
    loggedOperation: string | null;
  }
}

export interface Access extends Readonly<AccessNote> {
  readonly requestId: string;
  /** The id that the client sent, which may be any text; undefined if it sent none. */
  readonly clientRequestId: string | string[] | undefined;
  readonly address: string;
  readonly durationMs: number;
  /** Other fields, as JSON without braces. */
  readonly fields: string;
}

export type AccessLogConfig = Pick<Config, "ACCESS_LOG" | "ACCESS_LOG_ADDRESS">;
export type WriteAccess = (access: Access) => void;

/** Ids of clients that are logged. Others could be used to forge or to inflate lines. */
const LOGGED_REQUEST_ID = /^[A-Za-z0-9._:/+=-]{1,100}$/;
/** Characters of addresses and networks, none of which JSON escapes. The peer address of a closed connection is empty. */
const ADDRESS = /^[\w.:/%]{1,60}$/;

/** Creates a function that writes one line; null if the access log is disabled. */
export function createAccessLog(config: AccessLogConfig, logger: Logger): WriteAccess | null {
  if (!config.ACCESS_LOG || !logger.isLevelEnabled("info")) return null;
  const { ACCESS_LOG_ADDRESS: addressSetting } = config;
  // The text is concatenated, which costs a tenth of JSON.stringify. No value contains a character that JSON escapes: the
  // service created the ids, operations are names of the schema, and the rest matches a pattern.
  return (access) => {
    const { loggedCaller: caller, loggedOperation: operation, clientRequestId } = access;
    let line = `"stream":"access","requestId":"${access.requestId}",${access.fields}`;
    if (operation !== null) line += `,"operation":"${operation}"`;
    line += `,"durationMs":${access.durationMs.toFixed(1)}`;
    if (caller?.kind === "account") {
      line += `,"accountId":"${caller.accountId}","credentialKind":"${caller.credentialKind}","credentialId":"${caller.credentialId}"`;
    } else if (caller) line += ',"credentialKind":"operator"';
    const address = formatLoggedAddress(addressSetting, access.address);
    if (address !== null && ADDRESS.test(address)) line += `,"address":"${address}"`;
    if (typeof clientRequestId === "string" && LOGGED_REQUEST_ID.test(clientRequestId)) {
      line += `,"clientRequestId":"${clientRequestId}"`;
    }
    writeInfoLine(logger, `${line},"msg":"request"`);
  };
}
