import type { Request, Response } from "express";
import type { SafeHtml } from "../../mail/html.ts";
import type { Card, Paid } from "./card.ts";
import type { MarketName } from "./markets.ts";
import type { Order } from "./order.ts";
import type { CardProcessor } from "./processor/processor.ts";

/** Steps of a checkout at which a fault can occur. */
export const STEPS = ["cart", "address", "delivery", "review", "payment", "confirmation"] as const;
export type Step = (typeof STEPS)[number];

/** What the functions of a shape see of the merchant and the current order. */
export interface View {
  readonly market: MarketName;
  readonly order: Order;
  /** Origin of the merchant. */
  readonly url: string;
  readonly processor: CardProcessor;
  /** Message above the page's content, such as a declined card. */
  readonly notice: string | null;
  /** Formats an amount in minor units as this merchant does. */
  money(amountMinor: number): string;
  readonly subtotalMinor: number;
  readonly deliveryMinor: number;
  readonly totalMinor: number;
}

export type Body = Readonly<Record<string, string>>;

/** A page of the checkout. Its form posts to the page's own path; the next page in the list follows. */
export interface Page {
  readonly path: string;
  readonly step: Step;
  content(view: View): SafeHtml;
  /** Reads the card from a posted form. With it, the post is the payment and the confirmation follows. */
  readonly readCard?: (view: View, body: Body) => Card | null;
  /** Path of the next page, if it is not the next in the list. */
  next?(view: View, body: Body): string;
}

/** An endpoint that the scripts of a page call. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly step: Step;
  handle(call: Call): void;
}

export interface Call {
  readonly view: View;
  /** Body of the request, parsed as JSON or as a form. */
  // biome-ignore lint/suspicious/noExplicitAny: each platform has its own body.
  readonly body: any;
  readonly request: Request;
  readonly response: Response;
  /** Charges the card. Two calls charge twice, unless both have the same idempotency value. */
  pay(card: Card | null, idempotency?: string): Paid;
}

/** A checkout as merchants have it, rebuilt small from a public source. */
export interface Shape {
  /** What distinguishes the shape, in one sentence. */
  readonly title: string;
  /** Public documentation or source code that the shape follows. */
  readonly source: string;
  /** Default: GB. */
  readonly market?: MarketName;
  /** Not run while a driver is developed, so that its rate shows what an unknown checkout would meet. */
  readonly isHeldBack?: true;
  /** In the order in which a buyer sees them. The first follows the cart. */
  readonly pages: readonly Page[];
  readonly endpoints?: readonly Endpoint[];
  /** Replaces the default cart page. Null: the permalink leads straight to the first page. */
  readonly cart?: ((view: View) => SafeHtml) | null;
  /** Path of the cart page. Default: `/cart`. */
  readonly cartPath?: string;
  /** Path of the confirmation. Default: `/thanks`. */
  readonly confirmationPath?: string;
  /** Replaces the default confirmation page. */
  confirmation?(view: View, orderNumber: string): SafeHtml;
  /** Added to the end of each page, such as a cookie dialog. */
  readonly deviations?: readonly ((view: View, step: Step) => SafeHtml)[];
}

/** Creates an endpoint. */
export function endpoint(method: Endpoint["method"], path: string, step: Step, handle: (call: Call) => void): Endpoint {
  return { method, path, step, handle };
}
