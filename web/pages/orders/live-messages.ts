/** Messages of the live-view stream in both directions (`WS /live/<order>/stream`). */

/** Operator of a page, as determined by the checkout worker. `unknown`: none of the parties that the order involves. */
export type Party = "merchant" | "processor" | "issuer" | "unknown";

export interface Place {
  /** Null if the document has none, such as an empty page. */
  readonly origin: string | null;
  readonly party: Party;
}

/** The page that the live view shows. */
export interface ShownPage extends Place {
  /** Subject of the TLS certificate; null without TLS. */
  readonly certificateHost: string | null;
  /** The frame that shows a 3-D Secure challenge. */
  readonly frame: Place | null;
}

export type StreamMessage =
  | { readonly type: "hello"; readonly mayAct: boolean }
  | { readonly type: "waiting" | "resumed" | "ended" }
  | { readonly type: "paused"; readonly reason: string }
  | { readonly type: "size"; readonly width: number; readonly height: number }
  | ({ readonly type: "page" } & ShownPage)
  | { readonly type: "person-needed"; readonly for: "three_d_secure" | "security_code" | null };

export type InputMessage =
  | {
      readonly type: "pointer";
      readonly event: "move" | "down" | "up" | "wheel";
      /** Fraction of the image's width and height. */
      readonly x: number;
      readonly y: number;
      readonly button?: "left" | "middle" | "right";
      readonly deltaY?: number;
    }
  | { readonly type: "key"; readonly event: "down" | "up"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "security-code"; readonly code: string };

/** WebSocket close codes of the stream. */
export const CLOSE_CODES = { over: 1000, refused: 4401, expired: 4403, full: 4429 } as const;

/** Returns the stream URL of a live view, on the origin of this page. */
export function streamUrl(liveViewUrl: string): string {
  const { pathname, search } = new URL(liveViewUrl);
  return `${location.origin.replace(/^http/, "ws")}${pathname}/stream${search}`;
}
