import type { ReactNode } from "react";

type Tone = "good" | "bad" | "caution" | "muted";

const TONES: Readonly<Record<Tone, string>> = {
  good: "text-good",
  bad: "text-bad",
  caution: "text-caution",
  muted: "text-muted",
};

/** Status label. Its colour carries no information that the text lacks. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`inline-flex items-center gap-1.5 text-small whitespace-nowrap ${TONES[tone]}`}>
      <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-current" />
      {children}
    </span>
  );
}

const TRANSACTION_STATUSES = {
  RESERVED: { tone: "caution", text: "Reserved" },
  SIGNED: { tone: "caution", text: "Signed, not settled" },
  SETTLED: { tone: "good", text: "Settled" },
  RELEASED: { tone: "muted", text: "Released, not paid" },
  FAILED: { tone: "bad", text: "Failed, not paid" },
} as const;

export function TransactionStatusBadge({ status }: { readonly status: keyof typeof TRANSACTION_STATUSES }) {
  const { tone, text } = TRANSACTION_STATUSES[status];
  return <Badge tone={tone}>{text}</Badge>;
}
