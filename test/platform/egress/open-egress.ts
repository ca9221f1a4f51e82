import { onTestFinished } from "vitest";
import {
  createEgress,
  type Egress,
  type EgressOptions,
  type EgressRequest,
} from "../../../src/platform/egress/egress.ts";

/** An egress that closes with the test. */
export function openEgress(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowLoopback: true, ...options });
  onTestFinished(() => egress.close());
  return egress;
}

/** A GET with what most tests do not care about. */
export function get(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { url, method: "GET", headers: {}, timeoutMs: 5_000, ...more };
}
