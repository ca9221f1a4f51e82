import { describe, expect, it } from "vitest";
import { SQLSTATE } from "../../src/platform/database/errors.ts";
import { createReservationQueue, type RequestedReservation } from "../../src/wallet/reservation-queue.ts";
import type { Reservation } from "../../src/wallet/reservation-terms.ts";

const reservationOf = (accountId: string) => ({ accountId }) as Reservation;

/** A queue whose batches skip, or roll back for, the account "other"; its separate reservations are refused. */
function openQueue(outcome: "skipped" | "rolled back") {
  const batches: string[][] = [];
  const separate: string[] = [];
  const queue = createReservationQueue({
    async reserveOne({ accountId }) {
      separate.push(accountId);
      if (accountId === "other") throw new Error("refused");
      return `separate-${accountId}`;
    },
    async reserveBatch(batch: readonly RequestedReservation[]) {
      const accounts = batch.map(({ reservation }) => reservation.accountId);
      batches.push(accounts);
      if (outcome === "rolled back" && accounts.includes("other")) {
        throw Object.assign(new Error("refused"), { code: SQLSTATE.reservationRefused });
      }
      return new Set(batch.filter(({ reservation }) => reservation.accountId !== "other").map(({ id }) => id));
    },
  });
  const reserve = (accountId: string) => queue.reserve(reservationOf(accountId)).catch(() => "refused");
  return { batches, separate, reserve };
}

describe("a reservation that is refused", () => {
  it("remains in later batches if its batch skipped it, because the others were not rolled back", async () => {
    const { batches, separate, reserve } = openQueue("skipped");
    expect(await Promise.all([reserve("a"), reserve("other")])).toEqual([expect.stringMatching(/^tx_/), "refused"]);
    await Promise.all([reserve("a"), reserve("other")]);
    expect(batches).toEqual([
      ["a", "other"],
      ["a", "other"],
    ]);
    expect(separate).toEqual(["other", "other"]);
  });

  it("bypasses later batches if its batch was rolled back", async () => {
    const { batches, separate, reserve } = openQueue("rolled back");
    expect(await Promise.all([reserve("a"), reserve("other")])).toEqual(["separate-a", "refused"]);
    await Promise.all([reserve("a"), reserve("other")]);
    expect(batches).toEqual([["a", "other"], ["a"]]);
    expect(separate).toEqual(["a", "other", "other"]);
  });
});
