import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice, Notice } from "../../components/notice.tsx";
import { OutsideLink } from "../../components/outside-link.tsx";
import { SignInMethodsDocument } from "../../generated/graphql.ts";
import type { Failure } from "../../graphql/match-result.ts";

/** Form for the six-digit code sent by email. */
export function CodeForm({
  email,
  isRunning,
  isSending,
  failure,
  submitText,
  onSubmit,
  onResend,
  onBack,
}: {
  readonly email: string;
  readonly isRunning: boolean;
  readonly isSending: boolean;
  readonly failure: Failure | null;
  readonly submitText: string;
  readonly onSubmit: (code: string) => void;
  readonly onResend: () => void;
  readonly onBack: () => void;
}) {
  const [code, setCode] = useState("");
  const isWrongCode = failure?.code === "INVALID_CODE";
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit(code.replace(/\s/g, ""));
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p>
        We sent a six-digit code to <strong className="break-all">{email}</strong>. It expires after ten minutes.
      </p>
      <SandboxMail email={email} />
      <TextField
        label="Code"
        name="code"
        required
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*(\d\s*){6}"
        title="Six digits"
        className="figures text-lead tracking-[0.3em]"
        value={code}
        onChange={({ target }) => setCode(target.value)}
        error={isWrongCode ? failure.message : undefined}
      />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {submitText}
      </Button>
      <FailureNotice failure={isWrongCode ? null : failure} />
      <p className="flex flex-wrap justify-between gap-x-4">
        <Button look="quiet" size="small" onClick={onBack}>
          Use another address
        </Button>
        <Button look="quiet" size="small" isBusy={isSending} onClick={onResend}>
          Resend code
        </Button>
      </p>
    </form>
  );
}

/** Link to the sandbox inbox. Email does not leave a sandbox. */
function SandboxMail({ email }: { readonly email: string }) {
  const [{ data }] = useQuery({ query: SignInMethodsDocument });
  const mailUrl = data?.signInMethods?.sandboxMailUrl;
  if (!mailUrl) return null;
  return (
    <Notice>
      Sandbox: the email was not sent to the internet.{" "}
      <OutsideLink href={`${mailUrl}/?${new URLSearchParams({ to: email })}`}>Open the sandbox inbox</OutsideLink>.
    </Notice>
  );
}
