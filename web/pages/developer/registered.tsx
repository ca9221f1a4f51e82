import { Link } from "wouter";
import { buttonClass } from "../../components/button.tsx";
import { Actions } from "../../components/dialog.tsx";
import { Hash } from "../../components/hash.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { clientPath } from "./client-path.ts";
import { ClientStatusBadge } from "./client-status.tsx";

export interface RegisteredClient {
  readonly clientId: string;
  /** Null for a public client. */
  readonly secret: string | null;
}

/** Credentials of the new app. The secret is shown once. */
export function Registered({ client: { clientId, secret } }: { readonly client: RegisteredClient }) {
  return (
    <div className="mx-auto max-w-xl">
      <PageTitle>App registered</PageTitle>
      <p className="mt-2">
        The app is pending approval. Users cannot grant access to it until then. Its contacts are notified of the
        decision.
      </p>
      {secret !== null && (
        <div className="mt-5">
          <OneTimeSecret secret={secret} what="the client secret" />
        </div>
      )}
      <div className="mt-5">
        <Facts>
          <Fact name="Client ID">
            <Hash value={clientId} what="the client ID" isWhole />
          </Fact>
          <Fact name="Status">
            <ClientStatusBadge status="PENDING_APPROVAL" />
          </Fact>
        </Facts>
      </div>
      <Actions>
        <Link href={clientPath(clientId)} className={buttonClass("primary")}>
          Continue
        </Link>
      </Actions>
    </div>
  );
}
