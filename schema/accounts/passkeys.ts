/** Passkeys of the viewer's account. */
import type { Passkey, Prisma } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import {
  completePasskeyRegistration,
  startPasskeyRegistration,
} from "../../src/accounts/sign-in/passkey-registration.ts";
import { LastSignInMethodError, removePasskey, renamePasskey } from "../../src/accounts/sign-in/passkeys.ts";
import { requireManager } from "../../src/accounts/viewer.ts";
import { builder } from "../builder.ts";
import { lookUpById } from "../by-id.ts";
import { resolveConnection } from "../connection.ts";
import { deletedPayload } from "../deleted.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { NEWEST_FIRST, PAGES, prismaList } from "../paging.ts";
import { StorableText } from "../text.ts";
import { requireVisitor, setBrowserCookie } from "../visitor.ts";
import { PASSKEY_ERRORS, StartPasskeyRegistrationSuccess } from "./passkey-sign-in.ts";
import { ViewerType } from "./viewer.ts";

export const PasskeyNode = builder.prismaNode("Passkey", {
  id: { field: "id", description: "The passkey's global id." },
  findUnique: (id, context) => ({ id, accountId: requireManager(context.viewer).accountId }),
  nullable: true,
  description: "A passkey that can sign in to the account.",
  fields: (t) => ({
    passkeyId: t.exposeID("id", { description: "The WebAuthn credential id, in base64url." }),
    name: t.exposeString("name", { description: "The name of the passkey." }),
    isBackedUp: t.exposeBoolean("isBackedUp", {
      description: "Whether the passkey is backed up to more than one device.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Timestamp when the passkey was added." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Timestamp when the passkey was last used. Null if it was never used.",
    }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  passkeys: t.connection(
    {
      type: PasskeyNode,
      ...PAGES,
      description: "The account's passkeys, newest first. Requires the scope `account:manage`.",
      resolve: (viewer, args, context, info) => {
        const { accountId } = requireManager(viewer);
        const { passkey } = context.deps.db.prisma;
        const passkeys = prismaList(
          { accountId },
          { accountId },
          (query: Prisma.PasskeyFindManyArgs) => passkey.findMany({ ...query, orderBy: NEWEST_FIRST }),
          (query) => passkey.count(query),
        );
        return resolveConnection(args, context, info, passkeys);
      },
    },
    { name: "PasskeyConnection", description: "A page of passkeys." },
    { name: "PasskeyEdge", description: "A passkey in a list." },
  ),
}));

builder.mutationField("startPasskeyRegistration", (t) =>
  t.field({
    type: StartPasskeyRegistrationSuccess,
    description:
      "Starts the registration of another passkey. Requires a session with a sign-in in the last 10 minutes.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError],
      union: {
        name: "StartPasskeyRegistrationResult",
        description: "The options for the browser, or an error.",
      },
    },
    resolve: async (_root, _args, context) =>
      setBrowserCookie(context, await startPasskeyRegistration(context.deps, requireVisitor(context))),
  }),
);

const CompletePasskeyRegistrationInput = builder.inputType("CompletePasskeyRegistrationInput", {
  description: "The new passkey.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The id of the attempt." }),
    name: t.string({
      validate: StorableText,
      description: "The name of the passkey, 1 to 100 characters. Defaults to `Passkey`.",
    }),
    response: t.field({ type: "JSON", required: true, description: "RegistrationResponseJSON (WebAuthn level 3)." }),
  }),
});

const passkeySuccess = (name: string, description: string) =>
  builder.objectRef<{ readonly passkey: Passkey }>(name).implement({
    description,
    fields: (t) => ({ passkey: t.expose("passkey", { type: PasskeyNode, description: "The passkey." }) }),
  });

builder.mutationField("completePasskeyRegistration", (t) =>
  t.field({
    type: passkeySuccess("CompletePasskeyRegistrationSuccess", "The passkey was added and can sign in to the account."),
    description:
      "Adds a new passkey. Requires a session. An email notifies the account owner if the account has an address.",
    errors: {
      types: PASSKEY_ERRORS,
      union: { name: "CompletePasskeyRegistrationResult", description: "The new passkey or an error." },
    },
    args: { input: t.arg({ type: CompletePasskeyRegistrationInput, required: true, description: "The passkey." }) },
    resolve: async (_root, { input }, context) => ({
      passkey: await completePasskeyRegistration(context.deps, requireVisitor(context), {
        ...input,
        name: input.name ?? null,
      }),
    }),
  }),
);

const RenamePasskeyInput = builder.inputType("RenamePasskeyInput", {
  description: "The new name of a passkey.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The passkey's id.", validate: idOf("Passkey") }),
    name: t.string({ required: true, validate: StorableText, description: "The new name, 1 to 100 characters." }),
  }),
});

builder.mutationField("renamePasskey", (t) =>
  t.field({
    type: passkeySuccess("RenamePasskeySuccess", "The passkey was renamed."),
    description: "Renames a passkey. Requires a session.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RenamePasskeyResult", description: "The renamed passkey or an error." },
    },
    args: { input: t.arg({ type: RenamePasskeyInput, required: true, description: "The new name." }) },
    resolve: async (_root, { input: { id, name } }, { deps, viewer }) => ({
      passkey: await renamePasskey(deps, viewer, { passkeyId: id, name }),
    }),
  }),
);

const RemovePasskeyInput = builder.inputType("RemovePasskeyInput", {
  description: "The passkey to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: "The passkey's id.", validate: idOf("Passkey") }) }),
});

const RemovePasskeySuccess = deletedPayload(
  "RemovePasskeySuccess",
  "Passkey",
  "The passkey was removed and can no longer sign in.",
);

builder.mutationField("removePasskey", (t) =>
  t.field({
    type: RemovePasskeySuccess,
    description:
      "Removes a passkey unless it is the account's only sign-in method. Requires a session with a sign-in in the last 10 minutes.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError, LastSignInMethodError],
      union: { name: "RemovePasskeyResult", description: "The id of the removed passkey or an error." },
    },
    args: { input: t.arg({ type: RemovePasskeyInput, required: true, description: "The passkey." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      await removePasskey(deps, viewer, id);
      return { deletedId: id };
    },
  }),
);

lookUpById("passkey", "Passkey", PasskeyNode, "the passkey");
