/** Why a subscription ends, and how each transport reports it. */
export type EndReason = "completed" | "expired" | "revoked" | "draining" | "too_slow" | "internal";

type StreamEnding = {
  /** `extensions.code` of the error, and `code` in the last block of an event stream. */
  readonly code: string;
  readonly message: string;
  /** Whether clients should reconnect automatically. */
  readonly isRetryable: boolean;
  /** Code and reason of the close frame, if the ending concerns the whole WebSocket. graphql-ws reconnects after 1012 and 1013. */
  readonly closeCode: number;
  readonly closeReason: string;
};

export const STREAM_ENDINGS: Readonly<Record<EndReason, StreamEnding>> = {
  completed: {
    code: "STREAM_COMPLETED",
    message: "The subscription is complete.",
    isRetryable: false,
    closeCode: 1000,
    closeReason: "Completed",
  },
  expired: {
    code: "STREAM_EXPIRED",
    message: "The credential has expired. Authenticate again, then subscribe again.",
    isRetryable: false,
    closeCode: 4403,
    closeReason: "The credential has expired",
  },
  revoked: {
    code: "STREAM_REVOKED",
    message: "The credential was revoked. Authenticate again, then subscribe again.",
    isRetryable: false,
    closeCode: 4403,
    closeReason: "The credential was revoked",
  },
  draining: {
    code: "STREAM_DRAINING",
    message: "The service is restarting. Reconnect.",
    isRetryable: true,
    closeCode: 1012,
    closeReason: "Service restart",
  },
  too_slow: {
    code: "STREAM_TOO_SLOW",
    message: "The client reads more slowly than events occur. Reconnect.",
    isRetryable: true,
    closeCode: 1013,
    closeReason: "Too slow",
  },
  internal: {
    code: "SUBSCRIPTION_INTERRUPTED",
    message: "Some events may be missing. Reconnect, and resume from the last cursor.",
    isRetryable: true,
    closeCode: 1013,
    closeReason: "Try again later",
  },
};

/** Returns the error of an ending, for results and for `error` messages. */
export function endingError(reason: EndReason): { message: string; extensions: { code: string } } {
  const { code, message } = STREAM_ENDINGS[reason];
  return { message, extensions: { code } };
}
