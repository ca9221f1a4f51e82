import { useCallback, useEffect, useRef, useState } from "react";
import { PageTitle } from "../../components/page-title.tsx";
import { usePagedList } from "../../components/paged-list.tsx";
import {
  type GatewayCallRowFragment,
  GatewayCallUpdatesDocument,
  GatewayModelsDocument,
} from "../../generated/graphql.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { Calls } from "./calls.tsx";
import { HowToUse } from "./how-to-use.tsx";
import { Models } from "./models.tsx";
import { Usage } from "./usage.tsx";

/** Delay in which completed calls are batched into one refresh of the usage, in milliseconds. */
const USAGE_REFRESH_DELAY_MS = 1_000;

const MODELS_PER_PAGE = 100;

/** AI gateway: usage, calls, models and instructions. */
export default function GatewayPage() {
  const list = usePagedList(GatewayModelsDocument, {}, ({ models }) => models, { size: MODELS_PER_PAGE });
  const [updates, setUpdates] = useState<ReadonlyMap<string, GatewayCallRowFragment>>(new Map());
  const [version, setVersion] = useState(0);
  const [usageVersion, scheduleUsageRefresh] = useUsageVersion();
  useResumableSubscription(GatewayCallUpdatesDocument, {
    onEvent({ gatewayCallUpdated: { cursor, call } }) {
      setUpdates((current) => new Map(current).set(call.id, call));
      if (call.status !== "PENDING") scheduleUsageRefresh();
      return cursor;
    },
    onLost() {
      setVersion((last) => last + 1);
      scheduleUsageRefresh();
    },
  });
  return (
    <>
      <PageTitle>AI gateway</PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        Programs call language models through an OpenAI-compatible API. Each call is paid separately within your limits.
      </p>
      <Usage version={usageVersion} />
      <Calls updates={updates} version={version} models={list.shown?.map(({ id }) => id) ?? []} />
      <Models list={list} />
      <HowToUse model={list.shown?.[0]?.id ?? "openai/gpt-4o-mini"} />
    </>
  );
}

/** Returns a version that increases shortly after `schedule` was called. Calls within the delay are batched. */
function useUsageVersion(): readonly [number, schedule: () => void] {
  const [version, setVersion] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const schedule = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setVersion((last) => last + 1);
    }, USAGE_REFRESH_DELAY_MS);
  }, []);
  return [version, schedule];
}
