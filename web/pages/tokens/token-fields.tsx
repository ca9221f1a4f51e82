import type { ComponentProps } from "react";
import { CardBudgetFields } from "../../components/card-budget-fields.tsx";
import { Checkbox, FieldGroup, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import type { TokenProblems } from "./read-token-form.ts";
import { TokenLimitFields } from "./token-limit-fields.tsx";

/** Scopes of a token, and whether they are selected by default. */
const SCOPES = [
  { scope: "PAYMENTS_SIGN", text: "Make payments within its limits", isDefault: true },
  { scope: "BALANCE_READ", text: "Read balances", isDefault: true },
  { scope: "TRANSACTIONS_READ", text: "Read transactions", isDefault: true },
  { scope: "ORDERS_WRITE", text: "Order from merchants by card", isDefault: false },
  { scope: "TRADE_EXECUTE", text: "Swap tokens", isDefault: false },
  { scope: "EMAIL_READ", text: "Read email", isDefault: false },
  { scope: "EMAIL_SEND", text: "Send email", isDefault: false },
  { scope: "AGENT_READ", text: "Read agent identity", isDefault: false },
  { scope: "ACCOUNT_READ", text: "Read the account: email address, tokens, apps", isDefault: false },
  { scope: "CARDS_READ", text: "Read saved cards, without their numbers", isDefault: false },
  { scope: "ACCOUNT_MANAGE", text: "Manage the account: tokens, X402 payments, withdrawals", isDefault: false },
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

export function TokenFields({
  networks,
  problems,
  budget,
  failure,
}: {
  /** Configured networks. Undefined while loading. */
  readonly networks: readonly string[] | undefined;
  readonly problems: TokenProblems;
  readonly budget: Omit<ComponentProps<typeof CardBudgetFields>, "isNew">;
  readonly failure: Failure | null;
}) {
  const at = (field: string) => problems[field] ?? failureAt(failure, field);
  const isShownAtField = FIELDS.some((field) => failureAt(failure, field) && !["networks", "scopes"].includes(field));
  return (
    <div className="grid gap-5">
      <TextField
        label="Name"
        name="name"
        required
        maxLength={100}
        autoComplete="off"
        hint="For example the program that will use it."
        error={at("name")}
      />
      <TokenLimitFields
        errorAt={at}
        hint="The account limits always apply. Leave a field empty for no additional limit."
      />
      <CardBudgetFields {...budget} isNew />
      {networks?.length !== 0 && (
        <FieldGroup legend="Networks">
          <div className="flex flex-wrap gap-x-6">
            {!networks && <Skeleton className="h-8 w-full" />}
            {networks?.map((network) => (
              <Checkbox key={network} name="networks" value={network} label={network} defaultChecked />
            ))}
          </div>
        </FieldGroup>
      )}
      <TextField
        label="Allowed hosts"
        name="allowedHosts"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="any"
        hint="Separated by spaces, for example api.example.com. Leave empty to allow any host."
        error={at("allowedHosts")}
      />
      <TextField
        label="Expires on"
        name="endsOn"
        type="date"
        min={new Date().toISOString().slice(0, 10)}
        hint="At the end of that day in UTC. Leave empty for no expiry."
        error={at("endsOn") ?? at("expiresAt")}
      />
      <FieldGroup legend="Permissions">
        {SCOPES.map(({ scope, text, isDefault }) => (
          <Checkbox key={scope} name="scopes" value={scope} label={text} defaultChecked={isDefault} />
        ))}
      </FieldGroup>
      <FailureNotice failure={isShownAtField ? null : failure} />
    </div>
  );
}
