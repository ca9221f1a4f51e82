import { useMemo } from "react";
import { useQuery } from "urql";
import { PolicyShopsDocument, type ShopChoiceFragment } from "../../generated/graphql.ts";

/** Shops by their own ids, as far as they are known. */
export function useShops(merchantIds: readonly string[]): ReadonlyMap<string, ShopChoiceFragment> {
  const ids = useMemo(() => merchantIds.map((merchantId) => btoa(`Merchant:${merchantId}`)).toSorted(), [merchantIds]);
  const [{ data }] = useQuery({ query: PolicyShopsDocument, variables: { ids }, pause: ids.length === 0 });
  return useMemo(() => {
    const shops = data?.nodes.filter((node) => node?.__typename === "Merchant") ?? [];
    return new Map(shops.map((shop) => [shop.merchantId, shop]));
  }, [data]);
}
