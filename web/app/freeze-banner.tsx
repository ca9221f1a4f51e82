import { useQuery } from "urql";
import { Notice } from "../components/notice.tsx";
import { ShellDocument } from "../generated/graphql.ts";
import { ResumeButton } from "../pages/security/resume-button.tsx";

/** Banner on every dashboard page while the account or the service is frozen. */
export function FreezeBanner() {
  const [{ data }] = useQuery({ query: ShellDocument });
  const account = data?.viewer?.account;
  return (
    <div role="status" className="mx-auto max-w-5xl px-5">
      {data?.isServiceFrozen && (
        <div className="pt-4">
          <Notice tone="bad" title="The service is frozen">
            <p className="text-small">
              The operator has stopped the service. Nothing is paid, signed, ordered or sent for any account. Data can
              still be read.
            </p>
          </Notice>
        </div>
      )}
      {account?.frozenBy && (
        <div className="pt-4">
          <Notice tone="bad" title={account.frozenBy === "OWNER" ? "Everything is stopped" : "This account is frozen"}>
            <p className="text-small">
              {account.frozenBy === "OWNER"
                ? "Nothing is paid, signed, ordered or sent until you resume the account with a passkey."
                : "Nothing is paid, signed, ordered or sent. Contact the operator of the service."}
            </p>
            {account.frozenBy === "OWNER" && (
              <div className="mt-2">
                <ResumeButton account={account} />
              </div>
            )}
          </Notice>
        </div>
      )}
    </div>
  );
}
