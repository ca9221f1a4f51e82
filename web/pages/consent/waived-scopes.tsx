import { Checkbox } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { describeScopes } from "../apps/scope-labels.ts";
import type { AuthorizationRequest } from "./app-header.tsx";

/** What the app can do beyond the requested permissions, with the choice to prevent it. Nothing if scopes are enforced. */
export function WaivedScopes({
  request: { waivedScopes },
  isEnforced,
  onChange,
}: {
  readonly request: AuthorizationRequest;
  readonly isEnforced: boolean;
  readonly onChange: (isEnforced: boolean) => void;
}) {
  if (waivedScopes.length === 0) return null;
  return (
    <div className="mt-3 text-small">
      <Notice tone="caution">
        <p className={isEnforced ? "line-through" : undefined}>
          {describeScopes(
            waivedScopes.map(({ name }) => name),
            "This app can also",
          )}
          .
        </p>
        <Checkbox
          label="Allow only the requested permissions"
          checked={isEnforced}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      </Notice>
    </div>
  );
}
