/** Returns the path of the order page. */
export const orderPath = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`;
