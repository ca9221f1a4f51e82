/** Returns the path of the merchant page. */
export const merchantPath = (merchantId: string) => `/merchants/${merchantId}`;
