import type { FrozenBy } from "../../src/accounts/freeze/freeze-state.ts";
import { wireEnum } from "../wire-enum.ts";

export const FrozenByEnum = wireEnum<Exclude<FrozenBy, "service">>("FrozenBy", "Who froze an account.", {
  owner: "The account owner, who resumes the account with a passkey.",
  administrator: "An administrator of the service. Only an administrator can end the freeze.",
});
