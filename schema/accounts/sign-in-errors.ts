import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { InvalidCodeError } from "../../src/accounts/sign-in/email-codes.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import { LastSignInMethodError } from "../../src/accounts/sign-in/passkeys.ts";
import { MailFailedError, MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { builder } from "../builder.ts";
import { createErrorOptions } from "../errors.ts";

builder.objectType(ReauthenticationRequiredError, {
  name: "ReauthenticationRequiredError",
  ...createErrorOptions("The last sign-in was more than 10 minutes ago. The user must sign in again."),
});

builder.objectType(InvalidCodeError, {
  name: "InvalidCodeError",
  ...createErrorOptions("The code is wrong, has expired, or belongs to another browser."),
  fields: (t) => ({
    attemptsLeft: t.exposeInt("attemptsLeft", {
      description: "The number of attempts left. 0 if a new code is required.",
    }),
  }),
});

builder.objectType(PasskeyRefusedError, {
  name: "PasskeyRefusedError",
  ...createErrorOptions("The passkey was not accepted. The reason is not disclosed. Start a new attempt to retry."),
});

builder.objectType(LastSignInMethodError, {
  name: "LastSignInMethodError",
  ...createErrorOptions("The passkey is the account's only sign-in method. It was not removed."),
});

builder.objectType(MailNotConfiguredError, {
  name: "MailNotConfiguredError",
  ...createErrorOptions("No mail server is configured. The email was not sent."),
});

builder.objectType(MailFailedError, {
  name: "MailFailedError",
  ...createErrorOptions("The mail server rejected the email or did not respond."),
  fields: (t) => ({
    isPermanent: t.exposeBoolean("isPermanent", {
      description: "Whether the server would reject the same email again.",
    }),
  }),
});
