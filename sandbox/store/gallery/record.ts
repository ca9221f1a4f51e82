/** A charge, as the merchant's bank would state it. */
export interface RecordedCharge {
  readonly orderId: string;
  readonly orderNumber: string;
  readonly amountMinor: number;
  readonly cardLast4: string;
  /** What the merchant knows of the buyer, to compare with the approved address. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The charges of one merchant: what happened, regardless of what a page stated. */
export interface ChargeRecord {
  charge(charge: Omit<RecordedCharge, "orderNumber">, idempotency?: string): RecordedCharge;
  readonly charges: readonly RecordedCharge[];
}

export function createRecord(): ChargeRecord {
  const charges: RecordedCharge[] = [];
  const byIdempotency = new Map<string, RecordedCharge>();
  return {
    charges,
    charge(charge, idempotency) {
      const known = idempotency === undefined ? undefined : byIdempotency.get(idempotency);
      if (known) return known;
      const recorded = { ...charge, orderNumber: `GAL-${1_001 + charges.length}` };
      charges.push(recorded);
      if (idempotency !== undefined) byIdempotency.set(idempotency, recorded);
      return recorded;
    },
  };
}
