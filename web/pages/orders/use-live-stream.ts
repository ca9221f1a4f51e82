import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { CLOSE_CODES, type InputMessage, type ShownPage, type StreamMessage, streamUrl } from "./live-messages.ts";

const INITIAL_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 15_000;

export interface LiveState {
  /** `lost`: the connection failed and is retried. */
  readonly phase: "connecting" | "lost" | "waiting" | "live" | "over" | "refused" | "full";
  readonly mayAct: boolean;
  readonly isPaused: boolean;
  readonly requiredAction: "three_d_secure" | "security_code" | null;
  readonly hasPicture: boolean;
  /** Null before the worker has described the page. */
  readonly page: ShownPage | null;
}

const NO_PAGE = { isPaused: false, requiredAction: null, hasPicture: false, page: null } as const;
const INITIAL_STATE = { mayAct: false, ...NO_PAGE } as const;

export interface LiveStream {
  readonly state: LiveState;
  /** Canvas that shows the images. */
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  send(message: InputMessage): void;
}

export interface LiveStreamOptions {
  /** Fetches the signed URL of the live view for each connection. Returns null if there is none. @throws if the request fails */
  readonly findUrl: () => Promise<string | null>;
  /** Phase to show if there is no URL. */
  readonly whenNone: "over" | "refused";
}

/** Streams a checkout while the component is mounted. */
export function useLiveStream({ findUrl, whenNone }: LiveStreamOptions): LiveStream {
  const [state, setState] = useState<LiveState>({ phase: "connecting", ...INITIAL_STATE });
  const canvas = useRef<HTMLCanvasElement>(null);
  const socketRef = useRef<WebSocket>(null);
  useEffect(() => {
    let hasStopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retryDelayMs = INITIAL_RETRY_DELAY_MS;
    let lastUrl = "";

    const connect = async () => {
      const url = await findUrl().catch(() => undefined);
      if (hasStopped) return;
      if (url === null) return setState({ phase: whenNone, ...INITIAL_STATE });
      if (url === undefined) return retry();
      lastUrl = url;
      const socket = new WebSocket(streamUrl(url));
      socketRef.current = socket;
      let drawing = Promise.resolve();
      socket.onmessage = ({ data }: MessageEvent<Blob | string>) => {
        if (typeof data === "string")
          return setState((current) => applyMessage(current, JSON.parse(data) as StreamMessage));
        drawing = drawing.then(async () => {
          const isDrawn = await draw(canvas.current, data).catch(() => false);
          if (isDrawn)
            setState((current) => (current.hasPicture ? current : { ...current, phase: "live", hasPicture: true }));
          if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"shown"}');
        });
      };
      socket.onopen = () => {
        retryDelayMs = INITIAL_RETRY_DELAY_MS;
      };
      socket.onclose = ({ code }) => {
        socketRef.current = null;
        if (hasStopped) return;
        if (code === CLOSE_CODES.over) setState({ phase: "over", ...INITIAL_STATE });
        else if (code === CLOSE_CODES.full) setState({ phase: "full", ...INITIAL_STATE });
        else if (code === CLOSE_CODES.refused) setState({ phase: "refused", ...INITIAL_STATE });
        else retry(code === CLOSE_CODES.expired);
      };
    };
    // A viewer with only a shared link cannot get a new URL.
    const renew = async () => {
      const url = await findUrl().catch(() => undefined);
      if (hasStopped) return;
      if (url === lastUrl) setState({ phase: "refused", ...INITIAL_STATE });
      else void connect();
    };
    const retry = (isExpired = false) => {
      if (isExpired) return void renew();
      setState({ phase: "lost", ...INITIAL_STATE });
      timer = setTimeout(() => void connect(), retryDelayMs * (0.5 + Math.random()));
      retryDelayMs = Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS);
    };
    void connect();
    return () => {
      hasStopped = true;
      clearTimeout(timer);
      socketRef.current?.close();
      socketRef.current = null;
    };
  }, [findUrl, whenNone]);
  const send = useCallback((message: InputMessage) => {
    if (socketRef.current?.readyState === WebSocket.OPEN) socketRef.current.send(JSON.stringify(message));
  }, []);
  return { state, canvas, send };
}

function applyMessage(current: LiveState, message: StreamMessage): LiveState {
  switch (message.type) {
    case "hello":
      return { phase: "connecting", ...INITIAL_STATE, mayAct: message.mayAct };
    case "waiting":
      return { ...current, phase: "waiting", ...NO_PAGE };
    case "size":
      return { ...current, phase: "live" };
    case "paused":
      return { ...current, phase: "live", isPaused: true };
    case "resumed":
      return { ...current, phase: "live", isPaused: false };
    case "person-needed":
      return { ...current, phase: "live", requiredAction: message.for };
    case "page": {
      const { origin, party, certificateHost, frame } = message;
      return { ...current, phase: "live", page: { origin, party, certificateHost, frame } };
    }
    case "ended":
      return { phase: "over", ...INITIAL_STATE };
  }
}

/** Draws an image at its original size. CSS scales the canvas. */
async function draw(canvas: HTMLCanvasElement | null, image: Blob): Promise<boolean> {
  if (!canvas) return false;
  const bitmap = await createImageBitmap(image);
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return true;
}
