import { ViewerType } from "../accounts/viewer.ts";
import { builder } from "../builder.ts";
import { StorableText } from "../text.ts";
import { OAuthClientNode } from "./clients.ts";

builder.objectField(ViewerType, "oauthClient", (t) =>
  t.prismaField({
    type: OAuthClientNode,
    nullable: true,
    args: { clientId: t.arg.id({ required: true, validate: StorableText, description: "Its `client_id` of OAuth." }) },
    description: "An application this account registered; null when it registered none with that id.",
    resolve: (query, { accountId }, { clientId }, { deps }) =>
      deps.db.prisma.oAuthClient.findFirst({ ...query, where: { id: clientId, accountId } }),
  }),
);
