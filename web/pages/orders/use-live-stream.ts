import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { CLOSED, type InputWord, type StreamWord, streamUrl } from "./live-words.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export interface LiveState {
  /** `lost`: the connection broke and is made anew. */
  readonly phase: "connecting" | "lost" | "waiting" | "live" | "over" | "refused" | "full";
  readonly mayAct: boolean;
  readonly isPaused: boolean;
  readonly neededFor: "three_d_secure" | "security_code" | null;
  readonly hasPicture: boolean;
}

const NOTHING = { mayAct: false, isPaused: false, neededFor: null, hasPicture: false } as const;

export interface LiveStream {
  readonly state: LiveState;
  /** Where the pictures are drawn. */
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  send(word: InputWord): void;
}

export interface Watched {
  /** The live view's signed address, asked for at each connection; null: there is none. Throws while it cannot be asked for. */
  readonly findUrl: () => Promise<string | null>;
  /** What it means that there is none. */
  readonly whenNone: "over" | "refused";
}

/** Watches a checkout for as long as the component is there. */
export function useLiveStream({ findUrl, whenNone }: Watched): LiveStream {
  const [state, setState] = useState<LiveState>({ phase: "connecting", ...NOTHING });
  const canvas = useRef<HTMLCanvasElement>(null);
  const line = useRef<WebSocket>(null);
  useEffect(() => {
    let hasStopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waitMs = FIRST_WAIT_MS;
    let lastUrl = "";

    const connect = async () => {
      const url = await findUrl().catch(() => undefined);
      if (hasStopped) return;
      if (url === null) return setState({ phase: whenNone, ...NOTHING });
      if (url === undefined) return retry();
      lastUrl = url;
      const socket = new WebSocket(streamUrl(url));
      line.current = socket;
      let drawing = Promise.resolve();
      socket.onmessage = ({ data }: MessageEvent<Blob | string>) => {
        if (typeof data === "string") return setState((known) => after(known, JSON.parse(data) as StreamWord));
        drawing = drawing.then(async () => {
          const isDrawn = await draw(canvas.current, data).catch(() => false);
          if (isDrawn) setState((known) => (known.hasPicture ? known : { ...known, phase: "live", hasPicture: true }));
          if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"shown"}');
        });
      };
      socket.onopen = () => {
        waitMs = FIRST_WAIT_MS;
      };
      socket.onclose = ({ code }) => {
        line.current = null;
        if (hasStopped) return;
        if (code === CLOSED.over) setState({ phase: "over", ...NOTHING });
        else if (code === CLOSED.full) setState({ phase: "full", ...NOTHING });
        else if (code === CLOSED.refused) setState({ phase: "refused", ...NOTHING });
        else retry(code === CLOSED.expired);
      };
    };
    // Who only has the link they were given gets no other.
    const renew = async () => {
      const url = await findUrl().catch(() => undefined);
      if (hasStopped) return;
      if (url === lastUrl) setState({ phase: "refused", ...NOTHING });
      else void connect();
    };
    const retry = (isExpired = false) => {
      if (isExpired) return void renew();
      setState({ phase: "lost", ...NOTHING });
      timer = setTimeout(() => void connect(), waitMs * (0.5 + Math.random()));
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    };
    void connect();
    return () => {
      hasStopped = true;
      clearTimeout(timer);
      line.current?.close();
      line.current = null;
    };
  }, [findUrl, whenNone]);
  const send = useCallback((word: InputWord) => {
    if (line.current?.readyState === WebSocket.OPEN) line.current.send(JSON.stringify(word));
  }, []);
  return { state, canvas, send };
}

function after(known: LiveState, word: StreamWord): LiveState {
  switch (word.type) {
    case "hello":
      return { phase: "connecting", ...NOTHING, mayAct: word.mayAct };
    case "waiting":
      return { ...known, phase: "waiting", isPaused: false, neededFor: null, hasPicture: false };
    case "size":
      return { ...known, phase: "live" };
    case "paused":
      return { ...known, phase: "live", isPaused: true };
    case "resumed":
      return { ...known, phase: "live", isPaused: false };
    case "person-needed":
      return { ...known, phase: "live", neededFor: word.for };
    case "ended":
      return { phase: "over", ...NOTHING };
  }
}

/** Draws a picture at its own size; the page scales it. */
async function draw(canvas: HTMLCanvasElement | null, picture: Blob): Promise<boolean> {
  if (!canvas) return false;
  const bitmap = await createImageBitmap(picture);
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return true;
}
