import { useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { MerchantOptionsDocument } from "../../generated/graphql.ts";
import { MerchantName } from "./policy-terms.tsx";
import { useMerchants } from "./use-merchants.ts";

/** Search field and list of selected merchants. */
export function MerchantChoice({
  label,
  error,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly error?: string | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const [q, setQ] = useState("");
  const [{ data }] = useQuery({ query: MerchantOptionsDocument, variables: { q }, pause: q.trim() === "" });
  const merchants = useMerchants(chosen);
  const found = q.trim() === "" ? [] : (data?.merchants?.edges ?? []).map(({ node }) => node);
  const offered = found.filter(({ merchantId }) => !chosen.includes(merchantId));
  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        placeholder="Search by name"
        error={error}
        value={q}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
      />
      {q.trim() !== "" && data && (
        <ul aria-label="Search results" className="grid gap-1">
          {offered.map(({ merchantId, name, domain }) => (
            <li key={merchantId}>
              <Button size="small" onClick={() => onChange([...chosen, merchantId])}>
                Add <bdi>{name}</bdi> <span className="text-muted">({domain})</span>
              </Button>
            </li>
          ))}
          {offered.length === 0 && <li className="text-small text-muted">No other merchants found.</li>}
        </ul>
      )}
      <SelectedEntries
        label="Selected merchants"
        entries={chosen.map((id) => ({
          id,
          name: merchants.get(id)?.name ?? id,
          shown: <MerchantName id={id} merchant={merchants.get(id)} />,
        }))}
        onRemove={(id) => onChange(chosen.filter((other) => other !== id))}
      />
    </div>
  );
}

/** List of selected entries, each with a button to remove it. */
export function SelectedEntries({
  label,
  entries,
  onRemove,
}: {
  readonly label: string;
  readonly entries: readonly { readonly id: string; readonly name: string; readonly shown: React.ReactNode }[];
  readonly onRemove: (id: string) => void;
}) {
  if (entries.length === 0) return null;
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line">
      {entries.map(({ id, name, shown }) => (
        <li key={id} className="flex items-center justify-between gap-4 py-1.5">
          <span className="min-w-0">{shown}</span>
          <Button size="small" aria-label={`Remove ${name}`} onClick={() => onRemove(id)}>
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}
