import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";

/** Asks for the code and hands it on at once: this page keeps none of it. */
export function SecurityCodeForm({ onSend }: { readonly onSend: (code: string) => void }) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [isSent, setIsSent] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!/^\d{3,4}$/.test(code)) return setError("It is three or four digits, on the back of most cards.");
    setError(undefined);
    onSend(code);
    setCode("");
    setIsSent(true);
  }
  return (
    <form onSubmit={submit} noValidate className="mb-4 max-w-md">
      <TextField
        label="Security code"
        hint="It goes straight into the shop’s page, and is kept nowhere."
        error={error}
        type="password"
        inputMode="numeric"
        autoComplete="cc-csc"
        maxLength={4}
        required
        value={code}
        onChange={({ target }) => setCode(target.value.replaceAll(/\D/g, ""))}
        className="figures"
        aside={
          <Button look="primary" type="submit">
            Hand it on
          </Button>
        }
      />
      <p role="status" className="mt-1 text-small text-muted">
        {isSent && "Handed on. The checkout goes on by itself."}
      </p>
    </form>
  );
}
