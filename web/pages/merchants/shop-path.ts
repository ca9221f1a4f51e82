/** Where a shop's own page is. */
export const shopPath = (merchantId: string) => `/merchants/${merchantId}`;
