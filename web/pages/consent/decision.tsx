import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { sayWhoIsSignedIn } from "../../app/sign-in-link.ts";
import { useSameAccount } from "../../app/use-same-account.ts";
import { Button } from "../../components/button.tsx";
import { NetworkChoice } from "../../components/network-choice.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { X402Off } from "../../components/x402-off.tsx";
import { ConsentAccountDocument, type ConsentAccountQuery } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { type Amounts, problemsOfAmounts } from "./amounts.ts";
import { Asker, mayPay, type Request, Wishes } from "./asker.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { Over } from "./over.tsx";
import { useDecide } from "./use-decide.ts";

const NOTHING: Amounts = { perTransactionLimitUsd: "0", dailyLimitUsd: "0", monthlyLimitUsd: "0" };
const EMPTY: Amounts = { perTransactionLimitUsd: "", dailyLimitUsd: "", monthlyLimitUsd: "" };

type Viewer = NonNullable<ConsentAccountQuery["viewer"]>;
interface DecisionProps {
  readonly request: Request;
  readonly onStale: () => void;
}

/** What an application asks, put to whoever is signed in. */
export function Decision(props: DecisionProps) {
  const [{ data, error }, refresh] = useQuery({ query: ConsentAccountDocument });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  useSameAccount(data?.viewer?.account.id, again, sayWhoIsSignedIn);
  const onStale = () => {
    again();
    props.onStale();
  };
  if (data?.viewer) return <DecisionForm {...props} onStale={onStale} viewer={data.viewer} />;
  if (error) return <FailureNotice failure={transportFailure(error)} onRetry={refresh} />;
  return <SkeletonRows count={6} />;
}

/** Everything there is to decide, on one screen; nothing that costs money is filled in. */
function DecisionForm({ request, onStale, viewer }: DecisionProps & { readonly viewer: Viewer }) {
  const { requestId, suggestedLimits, previous } = request;
  const { decide, isBusy, failure, isOver } = useDecide(onStale);
  const [amounts, setAmounts] = useState(EMPTY);
  const [networks, setNetworks] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<Partial<Record<keyof Amounts | "networks", string | undefined>>>({});
  const { account, wallet } = viewer;
  const configured = wallet.networks;
  const offered = request.networks.filter((network) => configured.includes(network));
  const asksToPay = mayPay(request);
  const at = (field: keyof Amounts | "networks") => problems[field] ?? failureAt(failure, field);
  const isPlaced = Object.keys(amounts).some((field) => failureAt(failure, field)) || !!failureAt(failure, "networks");

  function allow() {
    if (!asksToPay) return void decide({ requestId, approve: true, ...NOTHING, networks: offered });
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
      className="-mt-6 -mb-20 sm:-mt-4"
    >
      <Asker request={request} verb={asksToPay ? "asks to pay for you" : "asks for access"} />
      <Wishes request={request} />
      {asksToPay ? (
        <div className="mt-3 grid gap-2.5">
          {!account.x402Enabled && <X402Off consequence="it can pay nothing until you turn them on" />}
          <LimitFields
            amounts={amounts}
            suggested={suggestedLimits ?? null}
            errorAt={at}
            onChange={(field, amount) => {
              setAmounts({ ...amounts, [field]: amount });
              setProblems({ ...problems, [field]: undefined });
            }}
            onSuggested={(suggestion) => {
              setAmounts(suggestion);
              if (networks.length === 0)
                setNetworks(previous?.networks.filter((network) => offered.includes(network)) ?? offered);
              setProblems({});
            }}
          />
          <NetworkChoice
            legend="On these networks"
            error={at("networks")}
            networks={offered}
            chosen={networks}
            onChange={(chosen) => {
              setNetworks(chosen);
              setProblems({ ...problems, networks: undefined });
            }}
          />
        </div>
      ) : (
        <p className="mt-4">
          It did not ask to pay, and cannot: its limits are set to <strong className="font-semibold">0.00 USD</strong>.
        </p>
      )}
      <p className="mt-2.5 text-small text-muted">
        For {account.email ?? account.displayName ?? "your account"}, until you disconnect it under Apps; that works at
        once.{previous && " This replaces what you allowed it before."}
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
