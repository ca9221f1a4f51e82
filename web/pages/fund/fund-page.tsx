import { useState } from "react";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Segments } from "../../components/segments.tsx";
import { FundDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { Receive } from "./receive.tsx";
import { Send } from "./send.tsx";

const DIRECTIONS = [
  { value: "in", text: "Receive" },
  { value: "out", text: "Send" },
] as const;

/** Page to receive USDC in the wallet or send it. */
export default function FundPage() {
  const { shown, failure, isStale, again } = useReading({ query: FundDocument }, ({ viewer }) => viewer ?? undefined);
  const [direction, setDirection] = useState<"in" | "out">("in");
  const [chosen, setChosen] = useState<string | null>(null);
  const balances = shown?.wallet.balances;
  const network = (balances?.find((balance) => balance.network === chosen) ?? balances?.[0])?.network;
  return (
    <>
      <PageTitle aside={<Segments legend="Direction" choices={DIRECTIONS} value={direction} onChange={setDirection} />}>
        {direction === "in" ? "Fund wallet" : "Send from wallet"}
      </PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        {direction === "in"
          ? "Send USDC to your wallet address. The wallet pays after your free credit is used up."
          : "Send USDC to any address within your account limits. Satchel pays the network fee. Free credit cannot be sent."}
      </p>
      <FailureNotice failure={failure} onRetry={again} />
      {!failure && direction === "in" && (
        <Receive balances={balances} network={network} isRefreshing={isStale} onNetwork={setChosen} onRefresh={again} />
      )}
      {!failure && direction === "out" && (
        <Send
          account={shown?.account}
          balances={balances}
          network={network}
          onNetwork={setChosen}
          onBalancesChanged={again}
        />
      )}
    </>
  );
}
