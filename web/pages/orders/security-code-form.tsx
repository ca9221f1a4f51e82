import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";

/** Form for the security code. The code is sent at once and this page does not store it. */
export function SecurityCodeForm({ onSend }: { readonly onSend: (code: string) => void }) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const [isSent, setIsSent] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!/^\d{3,4}$/.test(code)) return setError("Enter the three or four digits, printed on the back of most cards.");
    setError(undefined);
    onSend(code);
    setCode("");
    setIsSent(true);
  }
  return (
    <form onSubmit={submit} noValidate className="mb-4 max-w-md">
      <TextField
        label="Security code"
        hint="The code is entered on the merchant’s page and not stored."
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
            Send
          </Button>
        }
      />
      <p role="status" className="mt-1 text-small text-muted">
        {isSent && "Code sent. The checkout continues automatically."}
      </p>
    </form>
  );
}
