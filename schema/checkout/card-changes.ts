/** Mutations of payment cards. All require the account owner's browser session. */
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { addCard, removeCard, setDefaultCard, updateCard } from "../../src/checkout/cards/cards.ts";
import { builder } from "../builder.ts";
import { deletedPayload } from "../deleted.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { linkViewer } from "../payload-viewer.ts";
import { StorableText } from "../text.ts";
import { PaymentCardNode } from "./cards.ts";
import { ShipToInput } from "./input.ts";

const PROVED_ERRORS = [...BOUNDED_ERRORS, ReauthenticationRequiredError];

const changed = (name: string, description: string) =>
  linkViewer(
    builder.objectRef<{ readonly cardId: string }>(name).implement({
      description,
      fields: (t) => ({
        card: t.prismaField({
          type: PaymentCardNode,
          description: "The added or updated card.",
          resolve: (query, { cardId }, _args, { deps }) =>
            deps.db.prisma.paymentCard.findUniqueOrThrow({ ...query, where: { id: cardId } }),
        }),
      }),
    }),
  );

const CODE = "The security code printed on the card. Rejected if this service does not store security codes.";

const AddCardInput = builder.inputType("AddCardInput", {
  description: "The card to add. Pass it as a GraphQL variable, never as a literal in the operation.",
  fields: (t) => ({
    number: t.string({ required: true, description: "The card number; spaces and dashes are ignored." }),
    expMonth: t.int({ required: true, description: "The expiry month, from 1 to 12." }),
    expYear: t.int({ required: true, description: "The expiry year, with four digits." }),
    securityCode: t.string({ description: CODE }),
    cardholderName: t.string({ required: true, validate: StorableText, description: "The cardholder's name." }),
    nickname: t.string({ validate: StorableText, description: "Display name of the card; 1 to 100 characters." }),
    billingAddress: t.field({ type: ShipToInput, required: true, description: "The billing address." }),
  }),
});

builder.mutationField("addCard", (t) =>
  t.field({
    type: changed("AddCardSuccess", "The card was added."),
    description:
      "Adds a card; the first becomes the default. Requires the account owner's browser session, authenticated in the last 10 minutes.",
    errors: {
      types: PROVED_ERRORS,
      union: { name: "AddCardResult", description: "The new card, or an error. After an error no card was added." },
    },
    args: { input: t.arg({ type: AddCardInput, required: true, description: "The card to add." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { securityCode = null, nickname = null } = input;
      return { cardId: (await addCard(deps, viewer, { ...input, securityCode, nickname })).id };
    },
  }),
);

const UpdateCardInput = builder.inputType("UpdateCardInput", {
  description: "Changes to a card; omitted fields remain unchanged. To change the number, add a new card.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The card's id.", validate: idOf("PaymentCard") }),
    expMonth: t.int({ description: "The expiry month, from 1 to 12." }),
    expYear: t.int({ description: "The expiry year, with four digits." }),
    securityCode: t.string({ description: CODE }),
    cardholderName: t.string({ validate: StorableText, description: "The cardholder's name." }),
    nickname: t.string({ validate: StorableText, description: "Display name of the card; empty removes it." }),
    billingAddress: t.field({ type: ShipToInput, description: "The billing address." }),
    isEnabled: t.boolean({ description: "Whether the card is enabled for payments." }),
  }),
});

builder.mutationField("updateCard", (t) =>
  t.field({
    type: changed("UpdateCardSuccess", "The card was updated."),
    description: "Updates a card. Requires the account owner's browser session, authenticated in the last 10 minutes.",
    errors: {
      types: PROVED_ERRORS,
      union: {
        name: "UpdateCardResult",
        description: "The updated card, or an error. After an error nothing has changed.",
      },
    },
    args: { input: t.arg({ type: UpdateCardInput, required: true, description: "The changes." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { id: cardId } = await updateCard(deps, viewer, {
        cardId: input.id,
        expMonth: input.expMonth ?? null,
        expYear: input.expYear ?? null,
        securityCode: input.securityCode ?? null,
        cardholderName: input.cardholderName ?? null,
        nickname: input.nickname ?? null,
        billingAddress: input.billingAddress ?? null,
        isEnabled: input.isEnabled ?? null,
      });
      return { cardId };
    },
  }),
);

const SetDefaultCardInput = builder.inputType("SetDefaultCardInput", {
  description: "Identifies the new default card.",
  fields: (t) => ({ id: t.id({ required: true, description: "The card's id.", validate: idOf("PaymentCard") }) }),
});

builder.mutationField("setDefaultCard", (t) =>
  t.field({
    type: changed("SetDefaultCardSuccess", "The card is the default."),
    description: "Makes a card the default. Requires the account owner's browser session.",
    errors: {
      types: BOUNDED_ERRORS,
      union: {
        name: "SetDefaultCardResult",
        description: "The default card, or an error. After an error nothing has changed.",
      },
    },
    args: { input: t.arg({ type: SetDefaultCardInput, required: true, description: "The new default card." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      cardId: (await setDefaultCard(deps, viewer, input.id)).id,
    }),
  }),
);

const RemoveCardInput = builder.inputType("RemoveCardInput", {
  description: "Identifies the card to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: "The card's id.", validate: idOf("PaymentCard") }) }),
});

const RemoveCardSuccess = linkViewer(
  deletedPayload(
    "RemoveCardSuccess",
    "PaymentCard",
    "The card was removed and its number erased. Orders still display its brand and last four digits.",
  ),
);

builder.mutationField("removeCard", (t) =>
  t.field({
    type: RemoveCardSuccess,
    description:
      "Removes a card and erases its number. If it was the default, the newest active card becomes the default. Requires the account owner's browser session.",
    errors: {
      types: BOUNDED_ERRORS,
      union: {
        name: "RemoveCardResult",
        description: "The id of the removed card, or an error. After an error the card remains.",
      },
    },
    args: { input: t.arg({ type: RemoveCardInput, required: true, description: "The card to remove." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      await removeCard(deps, viewer, input.id);
      return { deletedId: input.id };
    },
  }),
);
