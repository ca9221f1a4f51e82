import { useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { ShopChoicesDocument } from "../../generated/graphql.ts";
import { ShopName } from "./policy-words.tsx";
import { useShops } from "./use-shops.ts";

/** Shops, found by name and put on a list. */
export function ShopChoice({
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
  const [{ data }] = useQuery({ query: ShopChoicesDocument, variables: { q }, pause: q.trim() === "" });
  const shops = useShops(chosen);
  const found = q.trim() === "" ? [] : (data?.merchants?.edges ?? []).map(({ node }) => node);
  const offered = found.filter(({ merchantId }) => !chosen.includes(merchantId));
  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        placeholder="Find a shop by its name"
        error={error}
        value={q}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
      />
      {q.trim() !== "" && data && (
        <ul aria-label="Found" className="grid gap-1">
          {offered.map(({ merchantId, name, domain }) => (
            <li key={merchantId}>
              <Button size="small" onClick={() => onChange([...chosen, merchantId])}>
                Add <bdi>{name}</bdi> <span className="text-muted">({domain})</span>
              </Button>
            </li>
          ))}
          {offered.length === 0 && <li className="text-small text-muted">No other shop has that name.</li>}
        </ul>
      )}
      <Chosen
        label="Chosen shops"
        entries={chosen.map((id) => ({
          id,
          name: shops.get(id)?.name ?? id,
          shown: <ShopName id={id} shop={shops.get(id)} />,
        }))}
        onRemove={(id) => onChange(chosen.filter((other) => other !== id))}
      />
    </div>
  );
}

/** What was put on a list, each with the way off it. */
export function Chosen({
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
          <Button size="small" aria-label={`Take off ${name}`} onClick={() => onRemove(id)}>
            Take off
          </Button>
        </li>
      ))}
    </ul>
  );
}
