import { type FormEvent, useCallback, useState } from "react";
import { useQuery } from "urql";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { focusPageTop } from "../../components/focus-page-top.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { DeviceAccountDocument, FindDeviceRequestDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { SignInPanel } from "../sign-in/sign-in-panel.tsx";

/** Connection of a device without a browser (RFC 8628 section 3.3): sign-in, then the code, then the consent page. */
export default function DevicePage() {
  const search = new URLSearchParams(useSearch());
  const result = search.get("result");
  const [{ data, error }, refresh] = useQuery({ query: DeviceAccountDocument, requestPolicy: "network-only" });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  if (result !== null) return <Result isApproved={result === "approved"} />;
  return (
    <>
      <PageTitle>Connect a device</PageTitle>
      <div className="mt-3 grid gap-4">
        {data?.viewer ? (
          <CodeForm initialCode={search.get("user_code") ?? ""} />
        ) : data ? (
          <>
            <p>Sign in to connect a device. Signing in does not grant access.</p>
            <SignInPanel
              returnTo={location.pathname + location.search}
              onSignedIn={() => {
                again();
                focusPageTop();
              }}
            />
          </>
        ) : error ? (
          <FailureNotice failure={transportFailure(error)} onRetry={again} />
        ) : (
          <SkeletonRows count={3} />
        )}
      </div>
    </>
  );
}

/** The code is never submitted without the user: a link can contain the code of another person's device. */
function CodeForm({ initialCode }: { readonly initialCode: string }) {
  const [code, setCode] = useState(initialCode);
  const [, navigate] = useLocation();
  const find = useOperation(FindDeviceRequestDocument);
  async function submit(event: FormEvent) {
    event.preventDefault();
    const { value } = await find.run({ input: { userCode: code } });
    if (!value) return;
    navigate(`${PATHS.consent}?${new URLSearchParams({ request: value.request.requestId })}`);
    focusPageTop();
  }
  const problem = failureAt(find.failure, "userCode");
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <p>
        {initialCode === ""
          ? "Enter the code that your device shows."
          : "Continue only if your device shows the same code."}
      </p>
      <TextField
        label="Code"
        value={code}
        error={problem}
        hint="Eight consonants, such as WDJB-MJHT."
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        className="font-mono text-lead tracking-widest uppercase"
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <p className="text-small text-muted">
        Use only a code that you requested yourself. Never enter a code from a message, a call or a website.
      </p>
      <FailureNotice failure={problem ? null : find.failure} />
      <Button type="submit" look="primary" isBusy={find.isRunning}>
        Continue
      </Button>
    </form>
  );
}

function Result({ isApproved }: { readonly isApproved: boolean }) {
  return (
    <>
      <PageTitle>{isApproved ? "Device connected" : "Request denied"}</PageTitle>
      <p className="mt-3">
        {isApproved
          ? "Return to your device. You can disconnect the app under Apps at any time."
          : "The device received no access. You can close this page."}
      </p>
    </>
  );
}
