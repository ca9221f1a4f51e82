import type { Response } from "express";
import type { RequirementV1 } from "./requirements.ts";

/** Malformed 402 responses that clients must handle. The last entry of `many` can be paid. */
export const malformedResponses: Record<string, (response: Response, real: RequirementV1) => unknown> = {
  text: (response) => response.status(402).type("text/plain").send("Payment required, please."),
  empty: (response) => response.status(402).end(),
  truncated: (response) => response.status(402).type("json").send('{"x402Version":1,"accepts":[{"scheme":"ex'),
  huge(response, real) {
    const padding = "x".repeat(1024 * 1024);
    response.status(402).type("json").write('{"x402Version":1,"padding":["');
    for (let n = 0; n < 32; n++) response.write(`${padding}","`);
    response.end(`"],"accepts":[${JSON.stringify(real)}]}`);
  },
  types: (response, real) =>
    response.status(402).json({
      x402Version: "one",
      error: { nested: true },
      accepts: [
        null,
        42,
        [],
        { ...real, maxAmountRequired: 10_000 },
        { ...real, maxAmountRequired: "-1" },
        { ...real, maxAmountRequired: "1e4" },
        { ...real, payTo: { address: real.payTo } },
        { ...real, maxTimeoutSeconds: "soon" },
        { ...real, extra: "USDC" },
      ],
    }),
  "accepts-object": (response, real) => response.status(402).json({ x402Version: 1, accepts: real }),
  "version-99": (response, real) => response.status(402).json({ x402Version: 99, accepts: [real] }),
  many(response, real) {
    const junk = Array.from({ length: 999 }, (_, n) => ({ ...real, network: `nowhere-${n}` }));
    response.status(402).json({ x402Version: 1, error: "", accepts: [...junk, real] });
  },
  "bad-header": (response) => response.status(402).set("PAYMENT-REQUIRED", "%%%not-base64%%%").json({}),
};
