import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { type OAuthClientDetailsFragment, RotateOAuthClientSecretDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** The secret's last letters, and the way to a new one. */
export function ClientSecret({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const [isAsking, setIsAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useOperation(RotateOAuthClientSecretDocument);
  const isOver = client.status === "REVOKED";
  async function makeNew() {
    const { value } = await rotate.run({ id: client.id });
    if (!value) return;
    setSecret(value.secret);
    setIsAsking(false);
  }
  return (
    <Section
      title="Secret"
      aside={
        !isOver && (
          <Button size="small" onClick={() => setIsAsking(true)}>
            Make a new one
          </Button>
        )
      }
    >
      {secret ? (
        <SecretOnce secret={secret} what="the client secret" />
      ) : (
        <p>
          {client.secretHint ? (
            <>
              Ends in <code className="font-mono">{client.secretHint}</code>
              {client.secretCreatedAt && (
                <>
                  , made <Time at={client.secretCreatedAt} />
                </>
              )}
              .
            </>
          ) : (
            "There is none."
          )}
        </p>
      )}
      <ConfirmDialog
        title="Make a new secret?"
        description="The one before stops working at once: wherever your app uses it, put in the new one."
        confirmText="Make a new secret"
        isOpen={isAsking}
        isBusy={rotate.isRunning}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void makeNew()}
      >
        <FailureNotice failure={rotate.failure} />
      </ConfirmDialog>
    </Section>
  );
}
