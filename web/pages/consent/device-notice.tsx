import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import type { AuthorizationRequest } from "./app-header.tsx";

/** The device that waits for the decision. An attacker can send the code of an own device to a victim (RFC 8628 section 5.4). */
export function DeviceNotice({ device }: { readonly device: NonNullable<AuthorizationRequest["device"]> }) {
  return (
    <div className="mt-3">
      <Notice tone="caution">
        <p>
          Code <strong className="font-mono font-semibold tracking-widest">{device.userCode}</strong>, requested{" "}
          <Time at={device.requestedAt} />
          {device.ipAddress !== null && ` from ${device.ipAddress}`}.
        </p>
        <p className="mt-1 text-small">
          Allow only if your device shows this code. Deny if the code or link came from someone else: they would get
          this access to your account.
        </p>
      </Notice>
    </div>
  );
}
