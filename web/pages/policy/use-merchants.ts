import { useMemo } from "react";
import { useQuery } from "urql";
import { type MerchantOptionFragment, PolicyMerchantsDocument } from "../../generated/graphql.ts";

/** Returns the known merchants by merchant id. */
export function useMerchants(merchantIds: readonly string[]): ReadonlyMap<string, MerchantOptionFragment> {
  const ids = useMemo(() => merchantIds.map((merchantId) => btoa(`Merchant:${merchantId}`)).toSorted(), [merchantIds]);
  const [{ data }] = useQuery({ query: PolicyMerchantsDocument, variables: { ids }, pause: ids.length === 0 });
  return useMemo(() => {
    const merchants = data?.nodes?.filter((node) => node?.__typename === "Merchant") ?? [];
    return new Map(merchants.map((merchant) => [merchant.merchantId, merchant]));
  }, [data]);
}
