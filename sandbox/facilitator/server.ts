import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import express, { type Express } from "express";
import { z } from "zod";
import type { Facilitator } from "./schemes.ts";
import type { Settlements } from "./settlements.ts";

const body = z.object({
  x402Version: z.int().optional(),
  paymentPayload: z.looseObject({ payload: z.looseObject({}) }),
  paymentRequirements: z.looseObject({ scheme: z.string(), network: z.string(), asset: z.string(), payTo: z.string() }),
});

/** Creates the facilitator's HTTP interface: `GET /supported`, `POST /verify`, `POST /settle`. Settlements are recorded. */
export function facilitatorApp(facilitator: Facilitator, settlements: Settlements): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(express.json({ limit: "256kb" }));

  app.get("/supported", (_request, response) => {
    response.json(facilitator.supported());
  });

  app.post("/verify", async (request, response) => {
    const parsed = parse(request.body);
    if (!parsed) return void response.status(400).json({ isValid: false, invalidReason: "invalid_request" });
    const { payload, requirements } = parsed;
    const result = await facilitator.verify(payload, requirements).catch((error: Error) => ({
      isValid: false,
      invalidReason: "unexpected_verify_error",
      invalidMessage: error.message,
    }));
    response.json(result);
  });

  app.post("/settle", async (request, response) => {
    const parsed = parse(request.body);
    if (!parsed) return void response.status(400).json({ success: false, errorReason: "invalid_request" });
    const { payload, requirements } = parsed;
    const { network } = requirements;
    const result = await facilitator.settle(payload, requirements).catch((error: Error) => ({
      success: false,
      errorReason: "unexpected_settle_error",
      errorMessage: error.message,
      transaction: "",
      network,
    }));
    if (result.success && result.transaction) {
      settlements.add({
        transaction: result.transaction,
        network,
        scheme: requirements.scheme,
        x402Version: payload.x402Version,
        payer: ("payer" in result && result.payer) || "",
        payTo: requirements.payTo,
        asset: requirements.asset,
        amountAtomic:
          requirements.amount ?? (requirements as unknown as { maxAmountRequired: string }).maxAmountRequired,
        settledAt: new Date().toISOString(),
      });
    }
    response.json(result);
  });
  return app;
}

function parse(json: unknown): { payload: PaymentPayload; requirements: PaymentRequirements } | undefined {
  const { success, data } = body.safeParse(json);
  if (!success) return undefined;
  const payload = { x402Version: data.x402Version, ...data.paymentPayload } as unknown as PaymentPayload;
  return { payload, requirements: data.paymentRequirements as unknown as PaymentRequirements };
}
