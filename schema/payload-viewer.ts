/** The viewer in payloads of mutations that change lists or totals of the account. */
import { requireAccount } from "../src/accounts/viewer.ts";
import { ViewerType } from "./accounts/viewer.ts";
import { builder } from "./builder.ts";

type PayloadRef<Payload> = ReturnType<ReturnType<typeof builder.objectRef<Payload>>["implement"]>;

/** Adds the field `viewer` to a payload, with which a client updates the account's lists and totals. Returns the payload. */
export function linkViewer<Payload>(payload: PayloadRef<Payload>): PayloadRef<Payload> {
  builder.objectField(payload, "viewer", (t) =>
    t.field({
      type: ViewerType,
      description: "The caller, for the lists and totals that the change affects.",
      resolve: (_payload, _args, { viewer }) => requireAccount(viewer),
    }),
  );
  return payload;
}
