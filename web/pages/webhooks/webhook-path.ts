/** Where a webhook's own page is. */
export const webhookPath = (webhookId: string) => `/dashboard/webhooks/${webhookId}`;
