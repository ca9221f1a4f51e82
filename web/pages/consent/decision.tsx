import { useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { NetworkChoice } from "../../components/network-choice.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { X402Off } from "../../components/x402-off.tsx";
import { ConsentAccountDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { Asker, mayPay, type Request, Wishes } from "./asker.tsx";
import { type Amounts, LimitFields, problemsOfAmounts } from "./limit-fields.tsx";
import { Over } from "./over.tsx";
import { useDecide } from "./use-decide.ts";

const NOTHING: Amounts = { perTransactionLimitUsd: "0", dailyLimitUsd: "0", monthlyLimitUsd: "0" };
const EMPTY: Amounts = { perTransactionLimitUsd: "", dailyLimitUsd: "", monthlyLimitUsd: "" };

/** Everything there is to decide, on one screen; nothing that costs money is filled in. */
export function Decision({ request, onStale }: { readonly request: Request; readonly onStale: () => void }) {
  const { requestId, suggestedLimits, previous } = request;
  const { decide, isBusy, failure, isOver } = useDecide(onStale);
  const [amounts, setAmounts] = useState(EMPTY);
  const [networks, setNetworks] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<Partial<Record<keyof Amounts | "networks", string>>>({});
  const [{ data }] = useQuery({ query: ConsentAccountDocument });
  const account = data?.viewer?.account;
  const asksToPay = mayPay(request);
  const at = (field: keyof Amounts | "networks") => problems[field] ?? failureAt(failure, field);
  const isPlaced = Object.keys(amounts).some((field) => failureAt(failure, field)) || !!failureAt(failure, "networks");

  function allow() {
    if (!asksToPay) return void decide({ requestId, approve: true, ...NOTHING, networks: [...request.networks] });
    const found = {
      ...problemsOfAmounts(amounts),
      ...(networks.length === 0 && { networks: "Choose at least one network." }),
    };
    setProblems(found);
    if (Object.keys(found).length === 0) void decide({ requestId, approve: true, ...amounts, networks: [...networks] });
  }

  if (isOver) return <Over />;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        allow();
      }}
      className="-mt-4 -mb-16"
    >
      <Asker request={request} verb={asksToPay ? "asks to pay for you" : "asks for access"} />
      <Wishes request={request} />
      {asksToPay ? (
        <div className="mt-4 grid gap-3">
          {account?.x402Enabled === false && <X402Off consequence="it can pay nothing until you turn them on" />}
          <LimitFields
            amounts={amounts}
            suggested={suggestedLimits ?? null}
            errorAt={at}
            onChange={setAmounts}
            onSuggested={(suggestion) => {
              setAmounts(suggestion);
              if (networks.length === 0) setNetworks(previous?.networks ?? request.networks);
              setProblems({});
            }}
          />
          <NetworkChoice
            legend="On these networks"
            error={at("networks")}
            networks={request.networks}
            chosen={networks}
            onChange={setNetworks}
          />
        </div>
      ) : (
        <p className="mt-4">
          It did not ask to pay, and cannot: its limits are set to <strong className="font-semibold">0.00 USD</strong>.
        </p>
      )}
      <p className="mt-3 text-small text-muted">
        For {account?.email ?? account?.displayName ?? "your account"}, until you disconnect it under Apps; that works
        at once.{previous && " This replaces what you allowed it before."}
      </p>
      <div className="mt-2">
        <FailureNotice failure={isPlaced ? null : failure} />
      </div>
      <div className="sticky bottom-0 mt-2 grid grid-cols-2 gap-3 bg-paper py-3">
        <Button isBusy={isBusy} onClick={() => void decide({ requestId, approve: false })}>
          Deny
        </Button>
        <Button type="submit" isBusy={isBusy}>
          Allow
        </Button>
      </div>
    </form>
  );
}
