import { useState } from "react";
import { Checkbox, FieldGroup, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Segments } from "../../components/segments.tsx";
import type { AccountEventType, WebhookRowFragment } from "../../generated/graphql.ts";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import { CHOOSABLE, EVENT_WORDS } from "./event-words.ts";

const FIELDS = ["url", "description"];

export function WebhookFields({
  failure,
  webhook,
}: {
  readonly failure: Failure | null;
  /** What it is now, where there is one. */
  readonly webhook?: WebhookRowFragment;
}) {
  const [choice, setChoice] = useState<"all" | "some">(webhook && webhook.eventTypes.length > 0 ? "some" : "all");
  const isPlaced = FIELDS.some((field) => failureAt(failure, field));
  return (
    <div className="grid gap-5">
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        maxLength={2_000}
        autoComplete="off"
        placeholder="https://app.example/webhooks"
        defaultValue={webhook?.url}
        error={failureAt(failure, "url")}
      />
      <TextField
        label="What it is for"
        name="description"
        maxLength={200}
        autoComplete="off"
        defaultValue={webhook?.description}
        error={failureAt(failure, "description")}
      />
      <div className="grid gap-2">
        <p className="font-medium">Told of</p>
        <Segments
          legend="What it is told of"
          choices={[
            { value: "all", text: "Everything" },
            { value: "some", text: "Some things" },
          ]}
          value={choice}
          onChange={setChoice}
        />
        {choice === "some" && (
          <FieldGroup legend="When">
            {CHOOSABLE.map((type) => (
              <Checkbox
                key={type}
                name="eventTypes"
                value={type}
                label={EVENT_WORDS[type]}
                defaultChecked={webhook?.eventTypes.includes(type) ?? false}
              />
            ))}
          </FieldGroup>
        )}
      </div>
      <FailureNotice failure={isPlaced ? null : failure} />
    </div>
  );
}

/** What the fields say. Nothing chosen under "Some things" is everything. */
export function readWebhook(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  return {
    url: text("url"),
    description: text("description"),
    eventTypes: form.getAll("eventTypes").map((type) => String(type) as AccountEventType),
  };
}
