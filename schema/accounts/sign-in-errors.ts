import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { InvalidCodeError } from "../../src/accounts/sign-in/email-codes.ts";
import { PasskeyRefusedError } from "../../src/accounts/sign-in/passkey-responses.ts";
import { LastSignInMethodError } from "../../src/accounts/sign-in/passkeys.ts";
import { MailFailedError, MailNotConfiguredError } from "../../src/platform/email/mailer.ts";
import { builder } from "../builder.ts";
import { errorOf } from "../errors.ts";

builder.objectType(ReauthenticationRequiredError, {
  name: "ReauthenticationRequiredError",
  ...errorOf("The person must sign in once more: their last proof is more than 10 minutes old."),
});

builder.objectType(InvalidCodeError, {
  name: "InvalidCodeError",
  ...errorOf("The code is not the one that was sent to this browser, or is no longer good."),
  fields: (t) => ({
    attemptsLeft: t.exposeInt("attemptsLeft", {
      description: "How many tries are left; none when a new code is needed.",
    }),
  }),
});

builder.objectType(PasskeyRefusedError, {
  name: "PasskeyRefusedError",
  ...errorOf("The passkey was not accepted; why is not said. Begin anew for another try."),
});

builder.objectType(LastSignInMethodError, {
  name: "LastSignInMethodError",
  ...errorOf("What was to be removed is the only way into the account."),
});

builder.objectType(MailNotConfiguredError, {
  name: "MailNotConfiguredError",
  ...errorOf("This service has no mail server, so no letter was sent."),
});

builder.objectType(MailFailedError, {
  name: "MailFailedError",
  ...errorOf("The mail server refused the letter or did not answer."),
  fields: (t) => ({
    isPermanent: t.exposeBoolean("isPermanent", { description: "Whether it would refuse the same letter again." }),
  }),
});
