import { useState } from "react";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Segments } from "../../components/segments.tsx";
import { FundDocument } from "../../generated/graphql.ts";
import { useReading } from "../../graphql/use-reading.ts";
import { Receive } from "./receive.tsx";
import { Send } from "./send.tsx";

const WAYS = [
  { value: "in", text: "Receive" },
  { value: "out", text: "Send" },
] as const;

/** Where to send USDC, on which network; and the way back out. */
export default function FundPage() {
  const { shown, failure, isStale, again } = useReading({ query: FundDocument }, ({ viewer }) => viewer ?? undefined);
  const [way, setWay] = useState<"in" | "out">("in");
  const [chosen, setChosen] = useState<string | null>(null);
  const balances = shown?.wallet.balances;
  const network = (balances?.find((one) => one.network === chosen) ?? balances?.[0])?.network;
  return (
    <>
      <PageTitle aside={<Segments legend="Which way" choices={WAYS} value={way} onChange={setWay} />}>
        {way === "in" ? "Fund the wallet" : "Send from the wallet"}
      </PageTitle>
      <p className="mt-1 max-w-[72ch] text-muted">
        {way === "in"
          ? "Send USDC to your address. It is yours alone: what arrives there pays once your free credit is used up."
          : "Send USDC to any address, within your account’s limits. The network’s fee is paid for you; free credit stays here."}
      </p>
      <FailureNotice failure={failure} onRetry={again} />
      {!failure && way === "in" && (
        <Receive balances={balances} network={network} isLooking={isStale} onNetwork={setChosen} onLook={again} />
      )}
      {!failure && way === "out" && (
        <Send account={shown?.account} balances={balances} network={network} onNetwork={setChosen} onMoved={again} />
      )}
    </>
  );
}
