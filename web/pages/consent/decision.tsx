import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { showSignedInAccount } from "../../app/sign-in-link.ts";
import { useAccountChange } from "../../app/use-account-change.ts";
import { Button } from "../../components/button.tsx";
import {
  type CardBudgetProblems,
  NEW_CARD_BUDGET,
  readCardBudget,
  toCardBudgetDraft,
} from "../../components/card-budget-draft.ts";
import { CardBudgetFields } from "../../components/card-budget-fields.tsx";
import { NetworkChoice } from "../../components/network-choice.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { X402DisabledNotice } from "../../components/x402-disabled-notice.tsx";
import { ConsentAccountDocument, type ConsentAccountQuery } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { type Amounts, findAmountProblems } from "./amounts.ts";
import { AppHeader, type AuthorizationRequest, includesPayments, RequestedScopes } from "./app-header.tsx";
import { ChangeCardBudget } from "./card-budget.tsx";
import { DeviceNotice } from "./device-notice.tsx";
import { LimitFields } from "./limit-fields.tsx";
import { RequestEnded } from "./request-ended.tsx";
import { useDecide } from "./use-decide.ts";
import { WaivedScopes } from "./waived-scopes.tsx";

const ZERO_LIMITS: Amounts = { perTransactionLimitUsd: "0", dailyLimitUsd: "0", monthlyLimitUsd: "0" };
const EMPTY: Amounts = { perTransactionLimitUsd: "", dailyLimitUsd: "", monthlyLimitUsd: "" };

type Viewer = NonNullable<ConsentAccountQuery["viewer"]>;
interface DecisionProps {
  readonly request: AuthorizationRequest;
  readonly onStale: () => void;
}

/** Decision about an authorization request by the signed-in account. */
export function Decision(props: DecisionProps) {
  const [{ data, error }, refresh] = useQuery({ query: ConsentAccountDocument });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  useAccountChange(data?.viewer?.account.id, again, showSignedInAccount);
  const onStale = () => {
    again();
    props.onStale();
  };
  if (data?.viewer) return <DecisionForm {...props} onStale={onStale} viewer={data.viewer} />;
  if (error) return <FailureNotice failure={transportFailure(error)} onRetry={refresh} />;
  return <SkeletonRows count={6} />;
}

/** The consent form on one screen. No limit is preselected. */
function DecisionForm({ request, onStale, viewer }: DecisionProps & { readonly viewer: Viewer }) {
  const { requestId, suggestedLimits, previous } = request;
  const { decide, isBusy, failure, isEnded } = useDecide(onStale);
  const [amounts, setAmounts] = useState(EMPTY);
  const [networks, setNetworks] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<Partial<Record<keyof Amounts | "networks", string | undefined>>>({});
  const [budget, setBudget] = useState(() => (previous ? toCardBudgetDraft(previous.cardBudget) : NEW_CARD_BUDGET));
  // Limits that the app already has are shown in full.
  const [isBudgetOpen, setIsBudgetOpen] = useState(!!previous?.cardBudget);
  const [budgetProblems, setBudgetProblems] = useState<CardBudgetProblems>({});
  const [isEnforced, setIsEnforced] = useState(request.strictScopes);
  // Scopes that the page shows as enforced remain so if the app gets the waiver before the decision.
  const terms = { requestId, approve: true, ...(isEnforced && { strictScopes: true }) };
  const { account, wallet } = viewer;
  const configured = wallet.networks;
  const offered = request.networks.filter((network) => configured.includes(network));
  const requestsPayments = includesPayments(request);
  const at = (field: keyof Amounts | "networks") => problems[field] ?? failureAt(failure, field);
  const isShownAtField =
    Object.keys(amounts).some((field) => failureAt(failure, field)) || !!failureAt(failure, "networks");

  function allow() {
    if (!requestsPayments) return void decide({ ...terms, ...ZERO_LIMITS, networks: offered });
    const found = {
      ...findAmountProblems(amounts),
      ...(networks.length === 0 && { networks: "Choose at least one network." }),
    };
    setProblems(found);
    // Of a previous grant, limits that the owner did not change may be absent.
    const read = readCardBudget(budget, { allowsNoLimit: !!previous });
    setBudgetProblems("problems" in read ? read.problems : {});
    if (Object.keys(found).length > 0 || "problems" in read) return;
    void decide({ ...terms, ...amounts, cardBudget: read.input, networks: [...networks] });
  }

  if (isEnded) return <RequestEnded />;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        allow();
      }}
      className="-mt-6 -mb-20 sm:-mt-4"
    >
      <AppHeader request={request} verb={requestsPayments ? "requests payment access" : "requests access"} />
      {request.device && <DeviceNotice device={request.device} />}
      <RequestedScopes request={request} />
      <WaivedScopes request={request} isEnforced={isEnforced} onChange={setIsEnforced} />
      {requestsPayments ? (
        <div className="mt-3 grid gap-2.5">
          {!account.x402Enabled && <X402DisabledNotice consequence="the app cannot pay until you turn them on" />}
          <LimitFields
            amounts={amounts}
            suggested={suggestedLimits ?? null}
            aside={!isBudgetOpen && <ChangeCardBudget choice={budget.choice} onOpen={() => setIsBudgetOpen(true)} />}
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
            legend="Networks"
            error={at("networks")}
            networks={offered}
            chosen={networks}
            onChange={(chosen) => {
              setNetworks(chosen);
              setProblems({ ...problems, networks: undefined });
            }}
          />
          {isBudgetOpen && (
            <CardBudgetFields draft={budget} problems={budgetProblems} isNew={!previous} onChange={setBudget} />
          )}
        </div>
      ) : (
        <p className="mt-4">
          The app did not request payments. Its limits are set to <strong className="font-semibold">0.00 USD</strong>.
        </p>
      )}
      <p className="mt-2.5 text-small text-muted">
        Account: {account.email ?? account.displayName ?? "your account"}. You can disconnect the app under Apps at any
        time.{previous && " This replaces its previous permissions."}
      </p>
      <div className="mt-2">
        <FailureNotice failure={isShownAtField ? null : failure} />
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
