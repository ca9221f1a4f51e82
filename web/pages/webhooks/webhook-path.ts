/** Returns the path of the webhook page. */
export const webhookPath = (webhookId: string) => `/dashboard/webhooks/${webhookId}`;
