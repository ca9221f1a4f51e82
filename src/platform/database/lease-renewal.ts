/** Renewal of the leases that this process holds in the database, with one statement for all of them. */

export interface LeaseRenewal<Lease> {
  add(lease: Lease): void;
  /** Ends the renewal of a lease; without effect if it has ended. */
  delete(lease: Lease): void;
}

/**
 * @param renew renews the leases and returns those that are lost, which are then deleted. After a failure the next renewal follows
 *   in time, unless the database remains unavailable.
 */
export function createLeaseRenewal<Lease>(
  everyMs: number,
  renew: (leases: readonly Lease[]) => Promise<readonly Lease[]>,
): LeaseRenewal<Lease> {
  const held = new Set<Lease>();
  let timer: NodeJS.Timeout | null = null;
  const remove = (lease: Lease) => {
    held.delete(lease);
    if (held.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  const renewAll = () => {
    renew([...held]).then(
      (lost) => lost.forEach(remove),
      () => {},
    );
  };
  return {
    add(lease) {
      held.add(lease);
      timer ??= setInterval(renewAll, everyMs).unref();
    },
    delete: remove,
  };
}
