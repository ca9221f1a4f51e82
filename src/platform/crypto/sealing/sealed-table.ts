/** Tables with sealed rows, and the contexts that bind a row's ciphertexts to its id and its account. */
import type { KeyObject } from "node:crypto";
import { reseal } from "./sealed-box.ts";

/** Row and account that a ciphertext is bound to. */
export interface RowIdentity {
  readonly id: string;
  /** Null for rows of the service itself, such as the treasury's wallet. */
  readonly accountId: string | null;
}

/** A table with the columns `id`, `wrapped_data_key` and `kek_id`. */
export interface SealedTable {
  readonly name:
    | "wallets"
    | "signing_keys"
    | "agents"
    | "webhook_endpoints"
    | "payment_cards"
    | "checkout_orders"
    | "account_exports"
    | "mailboxes";
  /** Whether its rows belong to accounts, in the column `account_id`. */
  readonly hasAccounts: boolean;
  /** Returns the context that the row's data key is bound to. */
  contextOf(row: RowIdentity): string;
}

/** A table whose ciphertexts are bound to an account. The column `is_account_bound` is false for those of version 0.1.0. */
export interface AccountTable extends SealedTable {
  readonly former: FormerSealing;
}

/** A row that version 0.1.0 sealed, which bound ciphertexts to the row's id only. */
export interface UnboundRow extends RowIdentity {
  readonly box: Uint8Array;
  readonly evmAddress?: string;
  readonly solanaAddress?: string;
}

/** How version 0.1.0 sealed the rows of a table. Only `bindTable` opens them. */
export interface FormerSealing {
  readonly boxColumn: "sealed_keys" | "sealed_holder_key" | "sealed_secrets" | "sealed_card" | "sealed_ship_to";
  /** SQL of further columns that the context of the box contains. */
  readonly contextColumns?: string;
  /** Returns the former context of the row's data key. */
  contextOf(id: string): string;
  /** Returns the box sealed for the row's account. @throws {SealBrokenError} */
  rebox(dataKey: KeyObject, row: UnboundRow): Uint8Array<ArrayBuffer>;
}

/**
 * Returns the context of a row's ciphertexts. A party that can write rows cannot move them to another row or account.
 * @param kind differs for each kind of ciphertext
 */
export function accountContext(kind: string, { id, accountId }: RowIdentity): string {
  return `${kind}:${id}:${accountId?.toLowerCase() ?? "service"}`;
}

/** Returns a table whose data key and box have the same context, before and after it was bound to the account. */
export function accountTable(
  name: SealedTable["name"],
  kind: string,
  former: { readonly boxColumn: FormerSealing["boxColumn"]; readonly kind: string },
): AccountTable {
  const contextOf = (row: RowIdentity) => accountContext(kind, row);
  const formerContextOf = (id: string) => `${former.kind}\0${id}`;
  return {
    name,
    hasAccounts: true,
    contextOf,
    former: {
      boxColumn: former.boxColumn,
      contextOf: formerContextOf,
      // A removed card has an empty box.
      rebox: (dataKey, row) =>
        row.box.length === 0 ? new Uint8Array() : reseal(dataKey, row.box, formerContextOf(row.id), contextOf(row)),
    },
  };
}
