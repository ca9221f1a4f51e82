/** Time that orders spend with questions. It does not count against the order's time limit. */

/**
 * Returns the SQL expression of the interval that an order has waited for answers so far. Bounded by
 * CHECKOUT_QUESTION_MS, because deadlines are within it.
 * @param order alias or name of the order's row
 */
export const waitedFor = (order: string): string =>
  `(SELECT coalesce(sum(coalesce(q.ended_at, least(now(), q.expires_at)) - q.created_at), interval '0')
    FROM order_questions q WHERE q.order_id = ${order}.id)`;
