import type { Scope } from "../../src/accounts/viewer.ts";
import { wireEnum } from "../wire-enum.ts";

export const ScopeEnum = wireEnum<Scope>(
  "Scope",
  "A permission of a credential. OAuth and REST use names such as `payments:sign` for `PAYMENTS_SIGN`.",
  {
    "payments:sign": "Make payments within the limits.",
    "balance:read": "Read the wallet balance.",
    "transactions:read": "Read transactions, trades and orders.",
    "email:read": "Read and send email in the agent's mailbox.",
    "agent:read": "Read the agent's identity and credentials.",
    "account:manage": "Manage the account: tokens, webhooks and settings. Never granted to applications.",
  },
);
