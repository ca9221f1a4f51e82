/** Facts of a request that decide whether it may leave. */

/** Who operates a document or receives a request. `other`: none of the known parties. */
export type Party = "merchant" | "processor" | "issuer" | "other";

/** What a profile permits by name. */
export type Permit = "poll" | "tracker" | "three_d_secure" | "completion";

export interface RequestFacts {
  /** Method, URL without query, operation and parameter names. */
  readonly kind: string;
  /** Origin that receives the request. */
  readonly origin: string;
  readonly target: Party;
  /** Operator of the document that sends the request. */
  readonly source: Party;
  /** Whether the method is safe (RFC 9110, section 9.2.1). */
  readonly isSafe: boolean;
  readonly isBeacon: boolean;
  /** Whether a script sent the request and can read its response, as with `fetch`. */
  readonly isScripted: boolean;
  /** Whether the response becomes the document of a page or of a frame. */
  readonly navigates: "page" | "frame" | null;
  /** Whether the request goes to the address of the pressed control's form. */
  readonly isPayUrl: boolean;
  readonly carriesCard: boolean;
  /** Fingerprints of the request's opaque values. */
  readonly values: readonly string[];
  /** Whether the request carries a value long enough for an encrypted card that no earlier request had. */
  readonly hasBlob: boolean;
  /** Whether the pages sent such a request before the card was released. */
  readonly wasSeen: boolean;
  /** Whether the pages sent a request with the same contents before. */
  readonly isRepeated: boolean;
  readonly permit: Permit | null;
  /** Whether the address or the operation is named after a payment, so that no poll is. */
  readonly namesPayment: boolean;
}
