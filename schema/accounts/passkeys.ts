/** The passkeys of whoever is signed in. */
import type { Passkey } from "../../generated/prisma/client.ts";
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import {
  completePasskeyRegistration,
  startPasskeyRegistration,
} from "../../src/accounts/sign-in/passkey-registration.ts";
import { LastSignInMethodError, removePasskey, renamePasskey } from "../../src/accounts/sign-in/passkeys.ts";
import { requireManager } from "../../src/accounts/viewer.ts";
import { builder } from "../builder.ts";
import { INPUT_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { NEWEST_FIRST, PAGES, readPage } from "../paging.ts";
import { StorableText } from "../text.ts";
import { keepBrowser, visitorOf } from "../visitor.ts";
import { PASSKEY_ERRORS, StartPasskeyRegistrationSuccess } from "./passkey-sign-in.ts";
import { ViewerType } from "./viewer.ts";

export const PasskeyNode = builder.prismaNode("Passkey", {
  id: { field: "id", description: "The passkey's global id." },
  findUnique: (id, context) => ({ id, accountId: requireManager(context.viewer).accountId }),
  nullable: true,
  description: "A passkey that opens the account.",
  fields: (t) => ({
    passkeyId: t.exposeID("id", { description: "The credential's own id, in base64url." }),
    name: t.exposeString("name", { description: "What its owner calls it." }),
    isBackedUp: t.exposeBoolean("isBackedUp", {
      description: "Whether it is kept on more than one device, so that losing one does not lose it.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was added." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last signed in with.",
    }),
  }),
});

builder.objectFields(ViewerType, (t) => ({
  passkeys: t.prismaConnection(
    {
      type: PasskeyNode,
      ...PAGES,
      description: "The passkeys that open the account, newest first. Needs the scope `account:manage`.",
      resolve: async (query, viewer, _args, { deps }) => {
        const { accountId } = requireManager(viewer);
        const { passkey } = deps.db.prisma;
        return await readPage(
          query,
          { accountId },
          (page) => passkey.findMany({ ...page, where: { accountId }, orderBy: NEWEST_FIRST }),
          (where) => passkey.count({ where }),
        );
      },
    },
    { name: "PasskeyConnection", description: "A page of passkeys." },
    { name: "PasskeyEdge", description: "A passkey in a list." },
  ),
}));

builder.mutationField("startPasskeyRegistration", (t) =>
  t.field({
    type: StartPasskeyRegistrationSuccess,
    description: "Begins another passkey for whoever is signed in. Their last proof may be at most 10 minutes old.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError],
      union: {
        name: "StartPasskeyRegistrationResult",
        description: "What the browser needs, or why there is nothing.",
      },
    },
    resolve: async (_root, _args, context) =>
      keepBrowser(context, await startPasskeyRegistration(context.deps, visitorOf(context))),
  }),
);

const CompletePasskeyRegistrationInput = builder.inputType("CompletePasskeyRegistrationInput", {
  description: "The passkey that was made.",
  fields: (t) => ({
    attemptId: t.id({ required: true, description: "The attempt it was made for." }),
    name: t.string({ validate: StorableText, description: "What to call it; 1 to 100 characters." }),
    response: t.field({ type: "JSON", required: true, description: "RegistrationResponseJSON (WebAuthn level 3)." }),
  }),
});

const passkeySuccess = (name: string, description: string) =>
  builder.objectRef<{ readonly passkey: Passkey }>(name).implement({
    description,
    fields: (t) => ({ passkey: t.expose("passkey", { type: PasskeyNode, description: "The passkey as it now is." }) }),
  });

builder.mutationField("completePasskeyRegistration", (t) =>
  t.field({
    type: passkeySuccess("CompletePasskeyRegistrationSuccess", "The passkey opens the account from now on."),
    description: "Adds the passkey that was made. The account's address, if it has one, is told.",
    errors: {
      types: PASSKEY_ERRORS,
      union: { name: "CompletePasskeyRegistrationResult", description: "The passkey, or why it was not added." },
    },
    args: { input: t.arg({ type: CompletePasskeyRegistrationInput, required: true, description: "The passkey." }) },
    resolve: async (_root, { input }, context) => ({
      passkey: await completePasskeyRegistration(context.deps, visitorOf(context), {
        ...input,
        name: input.name ?? null,
      }),
    }),
  }),
);

const RenamePasskeyInput = builder.inputType("RenamePasskeyInput", {
  description: "A passkey's new name.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The passkey's global id." }),
    name: t.string({ required: true, validate: StorableText, description: "1 to 100 characters." }),
  }),
});

builder.mutationField("renamePasskey", (t) =>
  t.field({
    type: passkeySuccess("RenamePasskeySuccess", "The passkey has its new name."),
    description: "Renames a passkey. Only a person who is signed in may.",
    errors: {
      types: INPUT_ERRORS,
      union: { name: "RenamePasskeyResult", description: "The passkey, or why it keeps its name." },
    },
    args: { input: t.arg({ type: RenamePasskeyInput, required: true, description: "The new name." }) },
    resolve: async (_root, { input: { id, name } }, { deps, viewer }) => ({
      passkey: await renamePasskey(deps, viewer, { passkeyId: idOf("Passkey", id), name }),
    }),
  }),
);

const RemovePasskeyInput = builder.inputType("RemovePasskeyInput", {
  description: "The passkey to remove.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The passkey's global id." }) }),
});

const RemovePasskeySuccess = builder.objectRef<{ readonly removedId: string }>("RemovePasskeySuccess").implement({
  description: "The passkey no longer opens the account.",
  fields: (t) => ({ removedId: t.exposeID("removedId", { description: "The global id it had." }) }),
});

builder.mutationField("removePasskey", (t) =>
  t.field({
    type: RemovePasskeySuccess,
    description:
      "Removes a passkey, never the last way into the account. The person's last proof may be at most 10 minutes old.",
    errors: {
      types: [...INPUT_ERRORS, ReauthenticationRequiredError, LastSignInMethodError],
      union: { name: "RemovePasskeyResult", description: "That it is gone, or why it stays." },
    },
    args: { input: t.arg({ type: RemovePasskeyInput, required: true, description: "The passkey." }) },
    resolve: async (_root, { input: { id } }, { deps, viewer }) => {
      await removePasskey(deps, viewer, idOf("Passkey", id));
      return { removedId: Buffer.from(`${id.typename}:${id.id}`).toString("base64") };
    },
  }),
);
