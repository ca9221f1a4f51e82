import type { ComponentProps, ReactNode } from "react";

/** Table that is shown as a list on phones. Give every `Cell` a `label`. */
export function Table({
  caption,
  columns,
  children,
}: {
  readonly caption: string;
  /** Column titles. Empty for a column of buttons, which gets no heading cell. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}) {
  return (
    <table className="w-full border-collapse max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-md:sr-only">
        <tr>
          {columns.map((column) =>
            column === "" ? (
              <td key={column} className="border-b border-line" />
            ) : (
              <th
                key={column}
                scope="col"
                className="border-b border-line py-2 pr-4 text-left text-small font-medium text-muted last:pr-0 last:text-right"
              >
                {column}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className="max-md:block">{children}</tbody>
    </table>
  );
}

export function Row({ className = "", ...row }: ComponentProps<"tr">) {
  return (
    <tr
      {...row}
      className={`border-b border-line max-md:grid max-md:gap-x-4 max-md:gap-y-1 max-md:py-3 ${className}`}
    />
  );
}

/** Table cell. `label` replaces the hidden column title on phones. */
export function Cell({ label, className = "", children, ...cell }: ComponentProps<"td"> & { readonly label?: string }) {
  const asLine = label ? "max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-4" : "max-md:block";
  return (
    <td {...cell} className={`min-w-0 py-3 pr-4 align-top last:pr-0 last:text-right max-md:p-0 ${asLine} ${className}`}>
      {label && <span className="shrink-0 text-small text-muted md:hidden">{label}</span>}
      {children}
    </td>
  );
}

/** Definition list with one pair per line. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="divide-y divide-line border-y border-line">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
