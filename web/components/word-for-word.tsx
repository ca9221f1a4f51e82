import { Verbatim } from "./verbatim.tsx";

/** The very document whose digest a passkey signs. */
export function WordForWord({ document, isOpen = false }: { readonly document: unknown; readonly isOpen?: boolean }) {
  return (
    <details className="mt-2 text-small" open={isOpen}>
      <summary className="min-h-6 text-leather">What you sign, word for word</summary>
      <div className="mt-1">
        <Verbatim label="What you sign" text={JSON.stringify(document, null, 2)} isWrapped />
      </div>
    </details>
  );
}
