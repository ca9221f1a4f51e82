/** Statuses of an invalid request, which any provider would reject; others, such as a rejected key, concern one provider only. */
export const REQUEST_FAULT_STATUSES: readonly number[] = [400, 405, 409, 411, 413, 414, 415, 422, 431];
