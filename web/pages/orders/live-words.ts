/** What the live view's stream says, and what is said to it (`WS /live/<order>/stream`). */

export type StreamWord =
  | { readonly type: "hello"; readonly mayAct: boolean }
  | { readonly type: "waiting" | "resumed" | "ended" }
  | { readonly type: "paused"; readonly reason: string }
  | { readonly type: "size"; readonly width: number; readonly height: number }
  | { readonly type: "person-needed"; readonly for: "three_d_secure" | "security_code" | null };

export type InputWord =
  | {
      readonly type: "pointer";
      readonly event: "move" | "down" | "up" | "wheel";
      /** Of the picture's width and height. */
      readonly x: number;
      readonly y: number;
      readonly button?: "left" | "middle" | "right";
      readonly deltaY?: number;
    }
  | { readonly type: "key"; readonly event: "down" | "up"; readonly key: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "security-code"; readonly code: string };

/** Why there is nothing to see, in the codes the stream is closed with. */
export const CLOSED = { over: 1000, refused: 4401, expired: 4403, full: 4429 } as const;

/** The stream of a live view's address, as this page reaches it. */
export function streamUrl(liveViewUrl: string): string {
  const { pathname, search } = new URL(liveViewUrl);
  return `${location.origin.replace(/^http/, "ws")}${pathname}/stream${search}`;
}
