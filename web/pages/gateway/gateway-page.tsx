import { useCallback, useEffect, useRef, useState } from "react";
import { PageTitle } from "../../components/page-title.tsx";
import {
  type GatewayCallRowFragment,
  GatewayCallUpdatesDocument,
  GatewayModelsDocument,
} from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { Calls } from "./calls.tsx";
import { HowToUse } from "./how-to-use.tsx";
import { Models } from "./models.tsx";
import { Usage } from "./usage.tsx";

/** Many calls may end within a second: what they come to is asked for once. */
const USAGE_WAIT_MS = 1_000;

/** What language models were asked, what it cost, and how to ask them. */
export default function GatewayPage() {
  const list = useReading({ query: GatewayModelsDocument, requestPolicy: "cache-first" }, ({ models }) => models);
  const [updates, setUpdates] = useState<ReadonlyMap<string, GatewayCallRowFragment>>(new Map());
  const [version, setVersion] = useState(0);
  const [usageVersion, noteEnded] = useUsageVersion();
  useResumed(GatewayCallUpdatesDocument, {
    onEvent({ gatewayCallUpdated: { cursor, call } }) {
      setUpdates((known) => new Map(known).set(call.id, call));
      if (call.status !== "pending") noteEnded();
      return cursor;
    },
    onLost() {
      setVersion((last) => last + 1);
      noteEnded();
    },
  });
  return (
    <>
      <PageTitle>AI gateway</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Programs ask language models here with the client they have, and each call is paid for as it is made, within
        your limits.
      </p>
      <Usage version={usageVersion} />
      <Calls updates={updates} version={version} models={list.shown?.map(({ id }) => id) ?? []} />
      <Models list={list} />
      <HowToUse model={list.shown?.[0]?.id ?? "openai/gpt-4o-mini"} />
    </>
  );
}

/** A number that changes soon after `note` was called, however often it was. */
function useUsageVersion(): readonly [number, note: () => void] {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const note = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setVersion((last) => last + 1);
    }, USAGE_WAIT_MS);
  }, []);
  return [version, note];
}
