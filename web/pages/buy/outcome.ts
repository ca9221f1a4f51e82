import type { CreatePurchaseTokenMutation, PayPurchaseTokenMutation } from "../../generated/graphql.ts";
import type { SuccessOf } from "../../graphql/match-result.ts";

export type Paid = SuccessOf<PayPurchaseTokenMutation["payPurchaseToken"]>;
export type Created = SuccessOf<CreatePurchaseTokenMutation["createPurchaseToken"]>;
