/** What is written to a person whose webhook was turned off. Plain text, and no secret in it. */

export interface DisabledWebhook {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly disabledReason: "failing" | "gone";
  readonly disabledAt: Date;
}

/** @param dashboardUrl where the person finds it */
export function webhookDisabledEmail(
  { id, url, description, disabledReason }: DisabledWebhook,
  dashboardUrl: string,
): { readonly subject: string; readonly text: string } {
  // Without its path and query, which may hold what nobody else is to know.
  const { host } = new URL(url);
  const why =
    disabledReason === "gone"
      ? `${host} answered 410 (Gone), which says that it wants no more events.`
      : `${host} took no event for five days: it was away, or answered with failures.`;
  return {
    subject: `Your webhook at ${host} is turned off`,
    text: [
      why,
      "The webhook is told of nothing any more. Nothing else changed: payments, trades and mail go on as before.",
      "Once the address answers again, turn the webhook on in the dashboard. What happened meanwhile can be sent again from there, as long as it is not older than 30 days.",
      `${description === "" ? host : description}\nDashboard  ${dashboardUrl}/webhooks/${id}`,
    ].join("\n\n"),
  };
}
