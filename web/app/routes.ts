/** Route table of the pages. Each page is a separate module, loaded when it is first visited. */
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { PageProps } from "./page-props.ts";
import { PATHS } from "./paths.ts";

/** `dashboard` adds header, navigation and footer. `plain` adds the mark in a narrow column. `bare` adds nothing. */
export type Frame = "dashboard" | "plain" | "bare";

interface PageRoute {
  readonly path: string;
  readonly frame: Frame;
  readonly Page: LazyExoticComponent<ComponentType<PageProps>>;
}

type Loader = () => Promise<{ readonly default: ComponentType<PageProps> }>;

const page = (frame: Frame, path: string, load: Loader): PageRoute => ({ path, frame, Page: lazy(load) });

export const ROUTES: readonly PageRoute[] = [
  page("plain", PATHS.signIn, () => import("../pages/sign-in/sign-in-page.tsx")),
  page("plain", PATHS.consent, () => import("../pages/consent/consent-page.tsx")),
  page("plain", PATHS.device, () => import("../pages/device/device-page.tsx")),
  page("plain", PATHS.buy, () => import("../pages/buy/buy-page.tsx")),
  page("plain", PATHS.approve, () => import("../pages/approve/approve-page.tsx")),
  page("plain", PATHS.recover, () => import("../pages/recover/recover-page.tsx")),
  page("dashboard", PATHS.overview, () => import("../pages/overview/overview-page.tsx")),
  page("dashboard", PATHS.fund, () => import("../pages/fund/fund-page.tsx")),
  page("dashboard", PATHS.connect, () => import("../pages/connect/connect-page.tsx")),
  page("dashboard", PATHS.tokens, () => import("../pages/tokens/tokens-page.tsx")),
  page("dashboard", PATHS.apps, () => import("../pages/apps/apps-page.tsx")),
  page("dashboard", PATHS.gateway, () => import("../pages/gateway/gateway-page.tsx")),
  page("dashboard", PATHS.trades, () => import("../pages/trades/trades-page.tsx")),
  page("dashboard", PATHS.agent, () => import("../pages/agent/agent-page.tsx")),
  page("dashboard", PATHS.mail, () => import("../pages/mail/mail-page.tsx")),
  page("dashboard", PATHS.newMail, () => import("../pages/mail/new-mail-page.tsx")),
  page("dashboard", PATHS.mailThread, () => import("../pages/mail/thread-page.tsx")),
  page("dashboard", PATHS.orders, () => import("../pages/orders/orders-page.tsx")),
  page("dashboard", PATHS.order, () => import("../pages/orders/order-page.tsx")),
  page("bare", PATHS.live, () => import("../pages/orders/live-page.tsx")),
  page("dashboard", PATHS.merchants, () => import("../pages/merchants/merchants-page.tsx")),
  page("dashboard", PATHS.merchant, () => import("../pages/merchants/merchant-page.tsx")),
  page("dashboard", PATHS.cards, () => import("../pages/cards/cards-page.tsx")),
  page("dashboard", PATHS.newCard, () => import("../pages/cards/new-card-page.tsx")),
  page("dashboard", PATHS.card, () => import("../pages/cards/card-page.tsx")),
  page("dashboard", PATHS.policy, () => import("../pages/policy/policy-page.tsx")),
  page("dashboard", PATHS.webhooks, () => import("../pages/webhooks/webhooks-page.tsx")),
  page("dashboard", PATHS.webhook, () => import("../pages/webhooks/webhook-page.tsx")),
  page("dashboard", PATHS.developer, () => import("../pages/developer/developer-page.tsx")),
  page("dashboard", PATHS.newClient, () => import("../pages/developer/new-client-page.tsx")),
  page("dashboard", PATHS.client, () => import("../pages/developer/client-page.tsx")),
  page("dashboard", PATHS.security, () => import("../pages/security/security-page.tsx")),
  page("dashboard", PATHS.yourData, () => import("../pages/your-data/your-data-page.tsx")),
  page("dashboard", PATHS.admin, () => import("../pages/admin/admin-page.tsx")),
];
