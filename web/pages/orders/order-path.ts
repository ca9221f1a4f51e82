/** Where an order's own page is. */
export const orderPath = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`;
