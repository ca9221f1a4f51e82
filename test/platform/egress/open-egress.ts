import { onTestFinished } from "vitest";
import {
  createEgress,
  type Egress,
  type EgressOptions,
  type EgressRequest,
} from "../../../src/platform/egress/egress.ts";

/** Creates an egress that closes with the test. */
export function openEgress(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowLoopback: true, ...options });
  onTestFinished(() => egress.close());
  return egress;
}

/** Returns a GET request with default values. */
export function get(url: string, more: Partial<EgressRequest> = {}): EgressRequest {
  return { url, method: "GET", headers: {}, timeoutMs: 5_000, ...more };
}
