/** All settings with their defaults and descriptions. `npm run codegen` generates `docs/settings.md` and `.env.example`. */
import { z } from "zod";
import { accounts, personalData, retention } from "./settings/account-settings.ts";
import { checkoutAtMerchants, workerSettings } from "./settings/checkout-settings.ts";
import { agents, incomingMail, outgoingMail } from "./settings/mail-settings.ts";
import { chainsAndPayments, languageModels, trading } from "./settings/payment-settings.ts";
import { accessAndEgress, keyEncryption, observability, service, storage } from "./settings/service-settings.ts";

export type Config = z.output<typeof configSchema>;

export const configSchema = z.object({
  ...service,
  ...accessAndEgress,
  ...observability,
  ...storage,
  ...keyEncryption,
  ...accounts,
  ...personalData,
  ...chainsAndPayments,
  ...trading,
  ...languageModels,
  ...outgoingMail,
  ...agents,
  ...incomingMail,
  ...checkoutAtMerchants,
  ...retention,
});

/** Sections of the settings by title, in the order of `docs/settings.md`. */
export const SETTING_SECTIONS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  Service: service,
  "Access and egress": accessAndEgress,
  Observability: observability,
  Storage: storage,
  "Key encryption": keyEncryption,
  Accounts: accounts,
  "Export and deletion of accounts": personalData,
  "Chains and payments": chainsAndPayments,
  Trading: trading,
  "Language models": languageModels,
  "Outgoing mail": outgoingMail,
  Agents: agents,
  "Incoming mail": incomingMail,
  "Checkout at merchants": checkoutAtMerchants,
  Retention: retention,
  "Checkout workers": workerSettings,
};
