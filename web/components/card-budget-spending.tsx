import { Price } from "./price.tsx";

interface Amount {
  readonly amountMinor: number;
  readonly currency: string;
}

export interface CardBudget {
  readonly perOrderLimit?: Amount | null;
  readonly dailyLimit?: Amount | null;
  readonly monthlyLimit?: Amount | null;
  readonly dayUsed: Amount;
  readonly monthUsed: Amount;
}

/** Limits of an API token or application for orders by card, and the amounts used. */
export function CardBudgetSpending({ budget }: { readonly budget: CardBudget | null | undefined }) {
  if (!budget) return <p className="mt-1 text-small text-muted">Orders by card: within the checkout policy</p>;
  const { perOrderLimit, dailyLimit, monthlyLimit, dayUsed, monthUsed } = budget;
  return (
    <p className="mt-1 text-small text-muted">
      Orders by card:{" "}
      {perOrderLimit && (
        <>
          up to <Price {...perOrderLimit} /> each,{" "}
        </>
      )}
      <Used used={dayUsed} limit={dailyLimit} /> today, <Used used={monthUsed} limit={monthlyLimit} /> this month
    </p>
  );
}

function Used({ used, limit }: { readonly used: Amount; readonly limit: Amount | null | undefined }) {
  return (
    <>
      <Price {...used} />
      {limit && (
        <>
          {" "}
          of <Price {...limit} />
        </>
      )}
    </>
  );
}
