/** A broadcast channel between nodes. Every node receives each text, including the sender. */
export interface Transport {
  /** Maximum length of a text. */
  readonly maxBytes: number;
  /** Resolves when the server has accepted the texts. After a rejection they may or may not have been sent. */
  send(texts: readonly string[]): Promise<void>;
  isConnected(): boolean;
  close(): Promise<void>;
}

export interface TransportEvents {
  onText(text: string): void;
  /** Called each time the connection starts listening, also after a reconnect. */
  onConnected(): void;
  onError(error: unknown): void;
}
