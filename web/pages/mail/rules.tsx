import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { SelectField, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ListOf, type PagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  type MailRuleAction,
  type MailRuleRowFragment,
  RemoveMailRuleDocument,
  SetMailRuleDocument,
} from "../../generated/graphql.ts";
import { failureAt } from "../../graphql/match-result.ts";
import { useOperation } from "../../graphql/use-operation.ts";

const ACTIONS = {
  ALLOW: { tone: "good", text: "Allowed" },
  BLOCK: { tone: "bad", text: "Blocked" },
} as const satisfies Record<MailRuleAction, object>;

/** Sender rules. All senders are accepted unless they are blocked or an allow rule exists. */
export function Rules({
  list,
  acceptsOnlyAllowed,
}: {
  readonly list: PagedList<MailRuleRowFragment>;
  readonly acceptsOnlyAllowed: boolean;
}) {
  const set = useOperation(SetMailRuleDocument);
  const toast = useToast();
  async function submit(form: HTMLFormElement) {
    const fields = new FormData(form);
    const action = fields.get("action") === "ALLOW" ? "ALLOW" : "BLOCK";
    const { value } = await set.run({ input: { action, pattern: String(fields.get("pattern") ?? "").trim() } });
    if (!value) return;
    form.reset();
    toast(`${value.rule.pattern} is ${action === "ALLOW" ? "allowed" : "blocked"} from now on.`);
    list.again();
  }
  return (
    <Section
      title="Sender rules"
      hint={
        acceptsOnlyAllowed
          ? "Only allowed senders are accepted. Block rules have priority."
          : "All senders except blocked ones are accepted. An allow rule blocks all other senders."
      }
    >
      <form
        className="grid items-start gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <SelectField name="action" label="Rule" defaultValue="BLOCK">
          <option value="BLOCK">Block</option>
          <option value="ALLOW">Allow</option>
        </SelectField>
        <TextField
          name="pattern"
          label="Address or domain"
          hint="A domain includes its subdomains."
          autoComplete="off"
          error={failureAt(set.failure, "pattern")}
        />
        <Button type="submit" isBusy={set.isRunning} className="sm:mt-7">
          Add rule
        </Button>
      </form>
      <FailureNotice failure={failureAt(set.failure, "pattern") ? null : set.failure} />
      <div className="mt-4">
        <ListOf list={list} awaited={{ count: 2 }} empty="No rules yet. Add a rule to allow or block a sender.">
          {(rules) => (
            <ul aria-label="Rules" className="divide-y divide-line border-y border-line">
              {rules.map((rule) => (
                <Rule key={rule.id} rule={rule} onRemoved={list.again} />
              ))}
            </ul>
          )}
        </ListOf>
      </div>
    </Section>
  );
}

function Rule({ rule, onRemoved }: { readonly rule: MailRuleRowFragment; readonly onRemoved: () => void }) {
  const remove = useOperation(RemoveMailRuleDocument);
  const { tone, text } = ACTIONS[rule.action];
  async function removeRule() {
    const { value } = await remove.run({ input: { id: rule.id } });
    if (value) onRemoved();
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 py-2">
      <span className="w-20">
        <Badge tone={tone}>{text}</Badge>
      </span>
      <span className="min-w-0 flex-1 break-all">{rule.pattern}</span>
      <Button
        look="quiet"
        size="small"
        isBusy={remove.isRunning}
        aria-label={`Remove the rule for ${rule.pattern}`}
        onClick={() => void removeRule()}
      >
        Remove
      </Button>
      <div className="w-full">
        <FailureNotice failure={remove.failure} />
      </div>
    </li>
  );
}
