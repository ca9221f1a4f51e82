import { useState } from "react";
import { useQuery } from "urql";
import { PageTitle } from "../../components/page-title.tsx";
import { GatewayModelsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { Calls } from "./calls.tsx";
import { HowToUse } from "./how-to-use.tsx";
import { Models } from "./models.tsx";
import { Usage } from "./usage.tsx";

/** What language models were asked, what it cost, and how to ask them. */
export default function GatewayPage() {
  const [{ data, error }, refresh] = useQuery({ query: GatewayModelsDocument });
  const [version, setVersion] = useState(0);
  const models = data?.models;
  const failure = error && !models && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <>
      <PageTitle>AI gateway</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Programs ask language models here with the client they have, and each call is paid for as it is made, within
        your limits.
      </p>
      <Usage version={version} />
      <Calls
        version={version}
        models={models?.map(({ id }) => id) ?? []}
        onRefresh={() => setVersion((last) => last + 1)}
      />
      <Models models={models} failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      <HowToUse model={models?.[0]?.id ?? "openai/gpt-4o-mini"} />
    </>
  );
}
