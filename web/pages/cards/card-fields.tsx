import { TextField } from "../../components/field.tsx";
import type { CardRowFragment } from "../../generated/graphql.ts";
import { formatExpiry } from "./read-card-form.ts";

/** Card fields with autocomplete tokens for browsers. Satchel never returns the number of a stored card. */
export function CardFields({
  card,
  keepsSecurityCodes,
  errorAt,
}: {
  /** Card to edit. Null for a new card. */
  readonly card: CardRowFragment | null;
  readonly keepsSecurityCodes: boolean;
  readonly errorAt: (field: string) => string | undefined;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {card === null && (
        <div className="sm:col-span-2">
          <TextField
            label="Card number"
            name="number"
            required
            inputMode="numeric"
            autoComplete="cc-number"
            maxLength={38}
            spellCheck={false}
            className="figures"
            error={errorAt("number")}
          />
        </div>
      )}
      <TextField
        label="Expires"
        name="expiry"
        required
        inputMode="numeric"
        autoComplete="cc-exp"
        maxLength={9}
        placeholder="MM/YY"
        className="figures"
        defaultValue={card ? formatExpiry(card) : ""}
        error={errorAt("expiry") ?? errorAt("expMonth") ?? errorAt("expYear")}
      />
      {keepsSecurityCodes && (
        <TextField
          label="Security code"
          name="securityCode"
          required={card === null}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={4}
          spellCheck={false}
          className="figures"
          hint={
            card?.hasSecurityCode
              ? "Leave empty to use the stored code."
              : "The three or four digits printed on the card."
          }
          error={errorAt("securityCode")}
        />
      )}
      <TextField
        label="Cardholder name"
        name="cardholderName"
        required
        autoComplete="cc-name"
        maxLength={100}
        defaultValue={card?.cardholderName ?? ""}
        error={errorAt("cardholderName")}
      />
      <TextField
        label="Nickname (optional)"
        name="nickname"
        autoComplete="off"
        maxLength={100}
        placeholder="Groceries"
        defaultValue={card?.nickname ?? ""}
        error={errorAt("nickname")}
      />
    </div>
  );
}
