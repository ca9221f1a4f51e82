import { useState } from "react";
import { Checkbox, FieldGroup, TextField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Segments } from "../../components/segments.tsx";
import type { AccountEventType, WebhookRowFragment } from "../../generated/graphql.ts";
import { type Failure, failureAt } from "../../graphql/match-result.ts";
import { EVENT_LABELS, SUBSCRIBABLE_EVENTS } from "./event-labels.ts";

const FIELDS = ["url", "description"];

export function WebhookFields({
  failure,
  webhook,
}: {
  readonly failure: Failure | null;
  /** Webhook to edit. Omitted for a new webhook. */
  readonly webhook?: WebhookRowFragment;
}) {
  const [choice, setChoice] = useState<"all" | "some">(webhook && webhook.eventTypes.length > 0 ? "some" : "all");
  const isShownAtField = FIELDS.some((field) => failureAt(failure, field));
  return (
    <div className="grid gap-5">
      <TextField
        label="URL"
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
        label="Description"
        name="description"
        maxLength={200}
        autoComplete="off"
        defaultValue={webhook?.description}
        error={failureAt(failure, "description")}
      />
      <div className="grid gap-2">
        <p className="font-medium">Events</p>
        <Segments
          legend="Events"
          choices={[
            { value: "all", text: "All" },
            { value: "some", text: "Selected" },
          ]}
          value={choice}
          onChange={setChoice}
        />
        {choice === "some" && (
          <FieldGroup legend="Event types">
            {SUBSCRIBABLE_EVENTS.map((type) => (
              <Checkbox
                key={type}
                name="eventTypes"
                value={type}
                label={EVENT_LABELS[type]}
                defaultChecked={webhook?.eventTypes.includes(type) ?? false}
              />
            ))}
          </FieldGroup>
        )}
      </div>
      <FailureNotice failure={isShownAtField ? null : failure} />
    </div>
  );
}

/** Reads the form. No selected event types means all events. */
export function readWebhook(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  return {
    url: text("url"),
    description: text("description"),
    eventTypes: form.getAll("eventTypes").map((type) => String(type) as AccountEventType),
  };
}
