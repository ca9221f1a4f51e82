/** Email to the account owner about a disabled webhook. Plain text without secrets. */

export interface DisabledWebhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly disabledReason: "failing" | "gone";
  readonly disabledAt: Date;
}

/** Returns the subject and text of the email. @param dashboardUrl base URL of the dashboard, for the link to the webhook */
export function createWebhookDisabledEmail(
  { id, url, description, disabledReason }: DisabledWebhook,
  dashboardUrl: string,
): { readonly subject: string; readonly text: string } {
  // Only the host: the path and query may contain a secret.
  const { host } = new URL(url);
  const why =
    disabledReason === "gone"
      ? `${host} responded with 410 (Gone), which means that it accepts no more events.`
      : `${host} accepted no event for five days. It was unreachable or responded with errors.`;
  return {
    subject: `Your webhook at ${host} is disabled`,
    text: [
      why,
      "The webhook receives no more events. Nothing else changed: payments, trades and mail continue as before.",
      "Once the endpoint accepts events again, enable the webhook in the dashboard. You can replay missed events of the last 30 days there.",
      `${description === "" ? host : description}\nDashboard  ${dashboardUrl}/webhooks/${id}`,
    ].join("\n\n"),
  };
}
