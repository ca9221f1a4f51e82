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
    "orders:write": "Explore merchants, and order from them by card within the policy.",
    "trade:execute": "Swap tokens within the limits.",
    "email:send": "Send email from the agent's mailbox. REST routes require `email:read` only.",
    "account:read": "Read the account: email address, settings, tokens and connected applications.",
    "cards:read": "Read payment cards, without their numbers, and the policies for orders.",
    "account:manage": "Manage the account: tokens, webhooks and settings. Never granted to applications.",
  },
);
