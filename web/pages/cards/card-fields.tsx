import { TextField } from "../../components/field.tsx";
import type { CardRowFragment } from "../../generated/graphql.ts";
import { writeExpiry } from "./read-card-form.ts";

/** What is printed on a card, as browsers know to fill it. The number of a known card is nowhere to be had. */
export function CardFields({
  card,
  keepsSecurityCodes,
  errorAt,
}: {
  /** Null for a new one. */
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
        defaultValue={card ? writeExpiry(card) : ""}
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
            card?.hasSecurityCode ? "Empty: the one that is kept stays." : "The three or four digits printed on it."
          }
          error={errorAt("securityCode")}
        />
      )}
      <TextField
        label="Name on the card"
        name="cardholderName"
        required
        autoComplete="cc-name"
        maxLength={100}
        defaultValue={card?.cardholderName ?? ""}
        error={errorAt("cardholderName")}
      />
      <TextField
        label="What you call it (optional)"
        name="nickname"
        autoComplete="off"
        maxLength={100}
        placeholder="such as Groceries"
        defaultValue={card?.nickname ?? ""}
        error={errorAt("nickname")}
      />
    </div>
  );
}
