import { createWorkerClient } from "../checkout/orders/worker-client.ts";
import type { Stack } from "../support/stack.ts";

/** Claims this order for a worker with a ten-minute lease. Other pending orders are failed first. */
export async function claimOrder(stack: Stack, id: string, workerUrl = "http://127.0.0.1:9999") {
  const { checkoutOrder } = stack.service.deps.db.prisma;
  const isClaimable = { status: { in: ["pending", "dispatched"] }, workerJobId: null };
  await checkoutOrder.updateMany({ where: { ...isClaimable, NOT: { id } }, data: { status: "worker_error" } });
  const worker = createWorkerClient(stack);
  const { status, text, json } = await worker.claim({ workerUrl });
  if (json?.job?.orderId !== id) throw new Error(`${id} was not claimed: ${status} ${text}`);
  await checkoutOrder.update({ where: { id }, data: { leasedUntil: new Date(Date.now() + 600_000) } });
  return { worker, lease: json.job.lease as string };
}
