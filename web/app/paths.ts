/** Every page's address. The service answers these with the application, and anything else with 404. */
export const PATHS = {
  signIn: "/sign-in",
  consent: "/consent",
  buy: "/buy",
  overview: "/dashboard",
  fund: "/dashboard/fund",
  tokens: "/dashboard/tokens",
  apps: "/dashboard/apps",
  gateway: "/dashboard/gateway",
  trades: "/dashboard/trades",
  developer: "/dashboard/developer",
  newClient: "/dashboard/developer/new",
  client: "/dashboard/developer/:clientId",
  security: "/dashboard/security",
  admin: "/dashboard/admin",
} as const;
