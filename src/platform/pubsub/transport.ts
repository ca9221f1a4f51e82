/** A way to the other nodes. What is sent comes to every node, the sender included. */
export interface Transport {
  /** The longest text it carries, in bytes. */
  readonly maxBytes: number;
  /** Resolves once the texts are handed over; a rejection means they may or may not have been. */
  send(texts: readonly string[]): Promise<void>;
  isConnected(): boolean;
  close(): Promise<void>;
}

export interface TransportEvents {
  onText(text: string): void;
  /** Called each time the connection listens, the first time included. */
  onConnected(): void;
  onError(error: unknown): void;
}
