import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Checkbox } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { OneTimeSecret } from "../../components/one-time-secret.tsx";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { type OAuthClientDetailsFragment, RotateOAuthClientSecretDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** Time for which a replaced secret remains valid. */
const OVERLAP_HOURS = 24;

/** Last characters of the client secret, with a button to rotate it. */
export function ClientSecret({ client }: { readonly client: OAuthClientDetailsFragment }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [isLeaked, setIsLeaked] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useOperation(RotateOAuthClientSecretDocument);
  const isClientRevoked = client.status === "REVOKED";
  async function rotateSecret() {
    const { value } = await rotate.run({ id: client.id, overlapHours: isLeaked ? 0 : OVERLAP_HOURS });
    if (!value) return;
    setSecret(value.secret);
    setIsConfirming(false);
  }
  return (
    <Section
      title="Secret"
      aside={
        !isClientRevoked && (
          <Button size="small" onClick={() => setIsConfirming(true)}>
            Rotate secret
          </Button>
        )
      }
    >
      {secret ? (
        <OneTimeSecret secret={secret} what="the client secret" />
      ) : (
        <p>
          {client.secretHint ? (
            <>
              Ends in <code className="font-mono">{client.secretHint}</code>
              {client.secretCreatedAt && (
                <>
                  , created <Time at={client.secretCreatedAt} />
                </>
              )}
              .
            </>
          ) : (
            "No secret."
          )}
        </p>
      )}
      <ConfirmDialog
        title="Rotate secret?"
        description={
          isLeaked
            ? "The previous secret stops working immediately. Update it everywhere your app uses it."
            : `The previous secret remains valid for ${OVERLAP_HOURS} hours. Update it everywhere your app uses it.`
        }
        confirmText="Rotate secret"
        isOpen={isConfirming}
        isBusy={rotate.isRunning}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => void rotateSecret()}
      >
        <Checkbox
          label="The secret was leaked: revoke it immediately"
          checked={isLeaked}
          onChange={({ currentTarget }) => setIsLeaked(currentTarget.checked)}
        />
        <FailureNotice failure={rotate.failure} />
      </ConfirmDialog>
    </Section>
  );
}
