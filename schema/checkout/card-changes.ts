/** Adding, changing and removing cards: for the person in their own browser. */
import { ReauthenticationRequiredError } from "../../src/accounts/recent-proof.ts";
import { addCard, removeCard, setDefaultCard, updateCard } from "../../src/checkout/cards/cards.ts";
import { builder } from "../builder.ts";
import { BOUNDED_ERRORS } from "../errors.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";
import { PaymentCardNode } from "./cards.ts";
import { ShipToInput } from "./input.ts";

const PROVED_ERRORS = [...BOUNDED_ERRORS, ReauthenticationRequiredError];

const changed = (name: string, description: string) =>
  builder.objectRef<{ readonly cardId: string }>(name).implement({
    description,
    fields: (t) => ({
      card: t.prismaField({
        type: PaymentCardNode,
        description: "The card as it now is.",
        resolve: (query, { cardId }, _args, { deps }) =>
          deps.db.prisma.paymentCard.findUniqueOrThrow({ ...query, where: { id: cardId } }),
      }),
    }),
  });

const CODE = "The digits printed on the card; where this service keeps none, it is refused.";

const AddCardInput = builder.inputType("AddCardInput", {
  description: "A card, as it is printed. Send it in variables, never in the text of the operation.",
  fields: (t) => ({
    number: t.string({ required: true, description: "Its number; blanks and dashes do not count." }),
    expMonth: t.int({ required: true, description: "Its last month, from 1 to 12." }),
    expYear: t.int({ required: true, description: "That month's year, with four digits." }),
    securityCode: t.string({ description: CODE }),
    cardholderName: t.string({ required: true, validate: StorableText, description: "The name on it." }),
    nickname: t.string({ validate: StorableText, description: "What to call it; 1 to 100 characters." }),
    billingAddress: t.field({ type: ShipToInput, required: true, description: "Where its statements go." }),
  }),
});

builder.mutationField("addCard", (t) =>
  t.field({
    type: changed("AddCardSuccess", "The card can be paid with."),
    description:
      "Adds a card; the first is the default. For the person in their own browser, whose last proof may be at most 10 minutes old.",
    errors: {
      types: PROVED_ERRORS,
      union: { name: "AddCardResult", description: "The new card, or why it was not added." },
    },
    args: { input: t.arg({ type: AddCardInput, required: true, description: "The card." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { securityCode = null, nickname = null } = input;
      return { cardId: (await addCard(deps, viewer, { ...input, securityCode, nickname })).id };
    },
  }),
);

const UpdateCardInput = builder.inputType("UpdateCardInput", {
  description: "What to change; the rest stays as it is. Another number is another card.",
  fields: (t) => ({
    id: t.globalID({ required: true, description: "The card's global id." }),
    expMonth: t.int({ description: "Its last month, from 1 to 12." }),
    expYear: t.int({ description: "That month's year, with four digits." }),
    securityCode: t.string({ description: CODE }),
    cardholderName: t.string({ validate: StorableText, description: "The name on it." }),
    nickname: t.string({ validate: StorableText, description: "What to call it; empty takes the name away." }),
    billingAddress: t.field({ type: ShipToInput, description: "Where its statements go." }),
    isEnabled: t.boolean({ description: "Whether it can be paid with." }),
  }),
});

builder.mutationField("updateCard", (t) =>
  t.field({
    type: changed("UpdateCardSuccess", "The card is changed."),
    description: "Changes a card. For the person in their own browser, whose last proof may be at most 10 minutes old.",
    errors: {
      types: PROVED_ERRORS,
      union: { name: "UpdateCardResult", description: "The changed card, or why nothing changed." },
    },
    args: { input: t.arg({ type: UpdateCardInput, required: true, description: "What to change." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const { id: cardId } = await updateCard(deps, viewer, {
        cardId: idOf("PaymentCard", input.id),
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
  description: "The card to pay with.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The card's global id." }) }),
});

builder.mutationField("setDefaultCard", (t) =>
  t.field({
    type: changed("SetDefaultCardSuccess", "The card is paid with unless another is named."),
    description: "Makes a card the default. For the person in their own browser.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "SetDefaultCardResult", description: "The default card, or why nothing changed." },
    },
    args: { input: t.arg({ type: SetDefaultCardInput, required: true, description: "The card." }) },
    resolve: async (_root, { input }, { deps, viewer }) => ({
      cardId: (await setDefaultCard(deps, viewer, idOf("PaymentCard", input.id))).id,
    }),
  }),
);

const RemoveCardInput = builder.inputType("RemoveCardInput", {
  description: "The card to remove.",
  fields: (t) => ({ id: t.globalID({ required: true, description: "The card's global id." }) }),
});

const RemoveCardSuccess = builder.objectRef<{ readonly removedId: string }>("RemoveCardSuccess").implement({
  description: "The card is gone and its number destroyed. What orders show of it stays.",
  fields: (t) => ({ removedId: t.exposeID("removedId", { description: "The card's own id." }) }),
});

builder.mutationField("removeCard", (t) =>
  t.field({
    type: RemoveCardSuccess,
    description:
      "Removes a card and destroys its number. Was it the default, the newest of the rest is. For the person in their own browser.",
    errors: {
      types: BOUNDED_ERRORS,
      union: { name: "RemoveCardResult", description: "That it is gone, or why it is not." },
    },
    args: { input: t.arg({ type: RemoveCardInput, required: true, description: "The card." }) },
    resolve: async (_root, { input }, { deps, viewer }) => {
      const removedId = idOf("PaymentCard", input.id);
      await removeCard(deps, viewer, removedId);
      return { removedId };
    },
  }),
);
