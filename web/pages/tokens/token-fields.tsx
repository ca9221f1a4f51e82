import { Checkbox, FieldGroup, TextField, UsdField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { type Failure, failureAt } from "../../graphql/match-result.ts";

/** What a token may be granted, and whether it usually is. */
const SCOPES = [
  { scope: "payments:sign", text: "Pay, within its limits", isUsual: true },
  { scope: "balance:read", text: "See balances", isUsual: true },
  { scope: "transactions:read", text: "See transactions", isUsual: true },
  { scope: "email:read", text: "Read mail", isUsual: false },
  { scope: "agent:read", text: "Read the agent's identity", isUsual: false },
  { scope: "account:manage", text: "Change the account: tokens, payments on or off, withdrawals", isUsual: false },
];
const FIELDS = [
  "name",
  "perTransactionLimitUsd",
  "dailyLimitUsd",
  "monthlyLimitUsd",
  "networks",
  "allowedHosts",
  "expiresAt",
  "scopes",
];

/** What is wrong with what was written, by the field's name. */
export type TokenProblems = Readonly<Record<string, string>>;

export function TokenFields({
  networks,
  problems,
  failure,
}: {
  /** Those there are; undefined while they are not known. */
  readonly networks: readonly string[] | undefined;
  readonly problems: TokenProblems;
  readonly failure: Failure | null;
}) {
  const at = (field: string) => problems[field] ?? failureAt(failure, field);
  const isPlaced = FIELDS.some((field) => failureAt(failure, field) && !["networks", "scopes"].includes(field));
  return (
    <div className="grid gap-5">
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        hint="What it is for, in your own words."
        error={at("name")}
      />
      <div>
        <div className="grid gap-3 sm:grid-cols-3">
          <UsdField label="A payment" name="perTransactionLimitUsd" error={at("perTransactionLimitUsd")} />
          <UsdField label="A day" name="dailyLimitUsd" error={at("dailyLimitUsd")} />
          <UsdField label="A month" name="monthlyLimitUsd" error={at("monthlyLimitUsd")} />
        </div>
        <p className="mt-1 text-small text-muted">
          The most it may spend. Where you leave one empty, the account's own limit is the only one.
        </p>
      </div>
      {networks?.length !== 0 && (
        <FieldGroup legend="Networks it may pay on">
          <div className="flex flex-wrap gap-x-6">
            {!networks && <Skeleton className="h-8 w-full" />}
            {networks?.map((network) => (
              <Checkbox key={network} name="networks" value={network} label={network} defaultChecked />
            ))}
          </div>
        </FieldGroup>
      )}
      <TextField
        label="Hosts it may pay"
        name="allowedHosts"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="any"
        hint="Separated by spaces, such as api.example.com. Empty: any."
        error={at("allowedHosts")}
      />
      <TextField
        label="Ends on"
        name="endsOn"
        type="date"
        min={new Date().toISOString().slice(0, 10)}
        hint="At the end of that day in UTC. Empty: when you revoke it."
        error={at("endsOn") ?? at("expiresAt")}
      />
      <FieldGroup legend="What it may do">
        {SCOPES.map(({ scope, text, isUsual }) => (
          <Checkbox key={scope} name="scopes" value={scope} label={text} defaultChecked={isUsual} />
        ))}
      </FieldGroup>
      <FailureNotice failure={isPlaced ? null : failure} />
    </div>
  );
}
