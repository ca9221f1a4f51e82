import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { usePagedList } from "../../components/paged-list.tsx";
import { useToast } from "../../components/toasts.tsx";
import { MailRulesDocument, OpenMailboxDocument } from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { Rules } from "./rules.tsx";

/** Settings of the mailbox: display name and sender rules. */
export function MailSettings() {
  const list = usePagedList(MailRulesDocument, {}, ({ viewer }) => viewer?.mailbox?.rules);
  const mailbox = list.data?.viewer?.mailbox;
  return (
    <section aria-label="Settings">
      {mailbox && <DisplayName displayName={mailbox.displayName} />}
      <Rules list={list} acceptsOnlyAllowed={(mailbox?.allowRules?.edges.length ?? 0) > 0} />
    </section>
  );
}

function DisplayName({ displayName }: { readonly displayName: string }) {
  const toast = useToast();
  const rename = useOperation(OpenMailboxDocument);
  async function submit(form: FormData) {
    const { value } = await rename.run({ input: { displayName: String(form.get("displayName") ?? "").trim() } });
    if (value) toast("Display name changed.");
  }
  const error = failureAt(rename.failure, "displayName");
  return (
    <form
      className="flex max-w-lg flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(new FormData(event.currentTarget));
      }}
    >
      <div className="min-w-0 flex-1 basis-56">
        <TextField
          name="displayName"
          label="Display name"
          defaultValue={displayName}
          maxLength={100}
          autoComplete="off"
          error={error}
        />
      </div>
      <Button type="submit" isBusy={rename.isRunning}>
        Save
      </Button>
      <FailureNotice failure={error ? null : rename.failure} />
    </form>
  );
}
