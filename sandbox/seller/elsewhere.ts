import express, { type Express } from "express";
import type { Observed } from "./observed.ts";

/** Another origin, to which faulty sellers redirect payers. Its requests are recorded as `elsewhere:<path>`. */
export function elsewhereApp(observed: Observed): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(observed.middleware("elsewhere:"));
  app.use((request, response) => {
    response.json({ origin: "elsewhere", method: request.method, headerNames: Object.keys(request.headers) });
  });
  return app;
}
