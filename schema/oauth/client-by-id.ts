import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { StorableText } from "../text.ts";
import { OAuthClientNode } from "./clients.ts";

builder.objectField(ViewerType, "oauthClient", (t) =>
  t.prismaField({
    type: OAuthClientNode,
    nullable: true,
    args: {
      clientId: t.arg.id({
        required: true,
        validate: StorableText,
        description: "The application's OAuth `client_id`.",
      }),
    },
    description: "An application that this account registered. Null if it registered none with this id.",
    resolve: (query, { accountId }, { clientId }, { deps }) =>
      deps.db.prisma.oAuthClient.findFirst({ ...query, where: { id: clientId, accountId } }),
  }),
);
