import { Verbatim } from "./verbatim.tsx";

/** The JSON document whose digest a passkey signs. */
export function ExactDocument({ document, isOpen = false }: { readonly document: unknown; readonly isOpen?: boolean }) {
  return (
    <details className="mt-2 text-small" open={isOpen}>
      <summary className="min-h-6 text-leather">Exact document (JSON)</summary>
      <div className="mt-1">
        <Verbatim label="Exact document" text={JSON.stringify(document, null, 2)} isWrapped />
      </div>
    </details>
  );
}
