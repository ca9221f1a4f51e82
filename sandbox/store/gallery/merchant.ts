import { readFileSync } from "node:fs";
import { join } from "node:path";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import type { Cart } from "../carts.ts";
import type { Faults } from "../faults.ts";
import { productRoutes } from "../pages/products.ts";
import { storefrontRoutes } from "../storefront/server.ts";
import type { Table } from "../table.ts";
import type { Card, Paid } from "./card.ts";
import { applyFault, DEAD_ORIGIN, type Fault } from "./faults.ts";
import { formatMoney, MARKETS, PRODUCT_TITLE, storeOf, VARIANT_ID } from "./markets.ts";
import { layout, script } from "./markup/layout.ts";
import { createOrder, type Order, saveFields } from "./order.ts";
import { cardError, isDeclined } from "./processor/cards.ts";
import type { CardProcessor } from "./processor/processor.ts";
import { type ChargeRecord, createRecord } from "./record.ts";
import type { Body, Page, Shape, Step, View } from "./shape.ts";
import { widgetRoutes } from "./widgets.ts";

const file = (name: string) => readFileSync(join(import.meta.dirname, "client", name), "utf8");
const ASSETS: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/gallery.js": ["js", file("gallery.js")],
  "/gallery.css": ["css", file("gallery.css")],
};

export interface MerchantOptions {
  readonly name: string;
  readonly shape: Shape;
  readonly fault: Fault | null;
  readonly processor: CardProcessor;
  /** Origin of the merchant. */
  readonly url: () => string;
}

/** Creates a merchant with the checkout of a shape, and the record of what it charged. */
export function createMerchant(options: MerchantOptions): { app: Express; record: ChargeRecord } {
  const { name, shape, fault, processor, url } = options;
  const market = shape.market ?? "GB";
  const store = storeOf(name, market);
  const record = createRecord();
  const orders = new Map<string, Order>();
  const cookie = `gallery_${name.replace(/\W/g, "_")}`;
  const cartPath = shape.cartPath ?? "/cart";
  const confirmationPath = shape.confirmationPath ?? "/thanks";
  const firstPath = shape.pages[0]?.path ?? "/checkout";

  const orderOf = (request: Request) =>
    orders.get(new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]+)`).exec(request.get("cookie") ?? "")?.[1] ?? "");
  const faultAt = (step: Step) => (fault?.step === step ? fault : null);

  function viewOf(order: Order, notice: string | null = null): View {
    const { goodsMinor, standardMinor, expressMinor } = MARKETS[market];
    const subtotalMinor = goodsMinor * order.quantity + order.surchargeMinor;
    const deliveryMinor = order.delivery === "express" ? expressMinor : standardMinor;
    const totalMinor = subtotalMinor + deliveryMinor + order.extrasMinor;
    const money = (amountMinor: number) => formatMoney(market, amountMinor);
    return { market, order, url: url(), processor, notice, money, subtotalMinor, deliveryMinor, totalMinor };
  }

  function pay(order: Order, card: Card | null, idempotency?: string): Paid {
    if (order.isSoldOut) return { error: "Sorry, this item is sold out. You were not charged." };
    if (!card) return { error: "Enter your card details. You were not charged." };
    const error = cardError(card);
    if (error !== null) return { error };
    if (isDeclined(card) || faultAt("payment")?.kind === "declined") {
      return { error: "Your card was declined. You were not charged." };
    }
    if (faultAt("payment")?.kind === "price-rise" && order.surchargeMinor === 0) {
      order.surchargeMinor = 310;
      return { error: "The price of an item has changed. Please check the new total. You were not charged." };
    }
    const { totalMinor } = viewOf(order);
    const charge = {
      orderId: order.id,
      amountMinor: totalMinor,
      cardLast4: card.number.slice(-4),
      fields: order.fields,
    };
    const { orderNumber } = record.charge({ ...charge, fields: { ...order.fields } }, idempotency);
    order.orderNumber = orderNumber;
    return { orderNumber };
  }

  function send(response: Response, view: View, step: Step, content: SafeHtml): void {
    const body = view.order.isSoldOut
      ? html`<h1>Sold out</h1><p role="alert">Sorry, ${PRODUCT_TITLE} is out of stock. You were not charged.</p>`
      : html`${content}${(shape.deviations ?? []).map((deviation) => deviation(view, step))}${faultScript(faultAt(step))}`;
    response
      .set("cache-control", "no-store")
      .type("html")
      .send(layout(view, `${step} – Mug store`, body));
  }

  const app = express();
  app.disable("x-powered-by");
  for (const [path, [type, text]] of Object.entries(ASSETS)) {
    app.get(path, (_request, response) => void response.type(type).send(text));
  }
  app.use(widgetRoutes());

  app.get("/cart/:permalink", (request, response, next) => {
    const [, variant, quantity] = /^(\d+):(\d+)$/.exec(request.params.permalink) ?? [];
    if (Number(variant) !== VARIANT_ID) return next();
    const order = createOrder(Number(quantity));
    orders.set(order.id, order);
    response.cookie(cookie, order.id, { httpOnly: true, sameSite: "lax" });
    response.redirect(303, shape.cart === null ? firstPath : cartPath);
  });

  /** Handles a request of an order, after the fault of its step. */
  const inOrder =
    (step: Step, isFaulty: boolean, handle: (order: Order, request: Request, response: Response) => unknown) =>
    async (request: Request, response: Response, next: NextFunction) => {
      try {
        const order = orderOf(request);
        const due = isFaulty ? faultAt(step) : null;
        if (order && due?.kind === "session-lost" && step !== "confirmation") {
          orders.delete(order.id);
          return void response.redirect(303, cartPath);
        }
        if (!order || (due?.kind === "session-lost" && step === "confirmation")) {
          const empty = html`<h1>Your cart is empty</h1><p>Your session has expired. <a href="/">Continue shopping</a></p>`;
          return void response.type("html").send(layout(viewOf(createOrder(1)), "Cart", empty));
        }
        // A rise or a shortage at the payment is found by the payment itself.
        if (due && !(step === "payment" && due.kind === "price-rise") && (await applyFault(due, order, response)))
          return;
        handle(order, request, response);
      } catch (error) {
        next(error);
      }
    };

  app.get(
    cartPath,
    inOrder("cart", true, (order, _request, response) => {
      const view = viewOf(order);
      send(response, view, "cart", shape.cart?.(view) ?? defaultCart(view, firstPath));
    }),
  );
  app.get(
    confirmationPath,
    inOrder("confirmation", true, (order, _request, response) => {
      const { orderNumber } = order;
      if (orderNumber === null) return response.redirect(303, firstPath);
      const view = viewOf(order);
      send(response, view, "confirmation", (shape.confirmation ?? defaultConfirmation)(view, orderNumber));
    }),
  );

  shape.pages.forEach((page, index) => {
    const next = shape.pages[index + 1]?.path ?? confirmationPath;
    app.get(
      page.path,
      inOrder(page.step, false, (order, _request, response) => {
        const view = viewOf(order);
        send(response, view, page.step, page.content(view));
      }),
    );
    app.post(
      page.path,
      express.urlencoded({ extended: false, limit: "64kb" }),
      inOrder(page.step, true, (order, request, response) => {
        const body: Body = request.body ?? {};
        saveFields(order, body);
        const notice = page.readCard ? payOnPage(order, page.readCard(viewOf(order), body)) : null;
        const view = viewOf(order, notice);
        if (notice !== null) return send(response, view, page.step, page.content(view));
        const path = page.next?.(view, body) ?? next;
        if (faultAt(page.step)?.kind !== "reload") return response.redirect(303, path);
        sendReloading(response, view, page.step, path);
      }),
    );
  });

  function payOnPage(order: Order, card: Card | null): string | null {
    const paid = pay(order, card);
    return "error" in paid ? paid.error : null;
  }

  /** Responds to the form itself, without a redirect. The page reloads once, so the browser sends the form again. */
  function sendReloading(response: Response, view: View, step: Step, path: string): void {
    const target: Page | undefined = shape.pages.find((page) => page.path === path);
    const shown =
      target?.content(view) ?? (shape.confirmation ?? defaultConfirmation)(view, view.order.orderNumber ?? "");
    const reload = script(
      `if (!sessionStorage.getItem("reloaded")) { sessionStorage.setItem("reloaded", "1"); location.reload(); }`,
    );
    send(response, view, step, html`${withAction(shown, path)}${reload}`);
  }

  for (const { method, path, step, handle } of shape.endpoints ?? []) {
    const route = { GET: app.get, POST: app.post, PUT: app.put }[method].bind(app);
    route(
      path,
      express.json({ limit: "64kb" }),
      express.urlencoded({ extended: true, limit: "64kb" }),
      inOrder(step, true, (order, request, response) => {
        const body = request.body ?? {};
        saveFields(order, body);
        handle({
          view: viewOf(order),
          body,
          request,
          response,
          pay: (card, idempotency) => pay(order, card, idempotency),
        });
      }),
    );
  }

  app.use(storefrontRoutes({ carts: tableInMemory<Cart>(), faults: NO_FAULTS }, store, url));
  app.use(productRoutes(store, url));
  return { app, record };
}

function defaultCart(view: View, checkoutPath: string): SafeHtml {
  return html`<h1>Your cart</h1>
    <table><tr><td>${view.order.quantity} × ${PRODUCT_TITLE}</td><td>${view.money(view.subtotalMinor)}</td></tr></table>
    <p>Taxes included. Delivery is calculated at checkout.</p>
    <p><a class="button" href="${checkoutPath}">Checkout</a></p>`;
}

function defaultConfirmation(view: View, orderNumber: string): SafeHtml {
  const [title, number, total] = {
    DE: ["Vielen Dank für Ihre Bestellung!", "Bestellnummer", "Gesamtsumme"],
    FR: ["Merci pour votre commande !", "Numéro de commande", "Total"],
  }[view.market as string] ?? ["Thank you for your order!", "Order number", "Total"];
  return html`<h1>${title ?? ""}</h1><p>${number ?? ""}: <strong>${orderNumber}</strong></p>
    <p>${total ?? ""}: ${view.money(view.totalMinor)}</p>`;
}

/** Script of a fault that occurs in the browser. */
function faultScript(fault: Fault | null): SafeHtml {
  if (fault?.kind !== "tracker-fails") return html``;
  return script(`const beacon = () => fetch(${JSON.stringify(`${DEAD_ORIGIN}/collect`)}, { method: "POST", body: "event=step", mode: "no-cors" }).catch(() => {});
    beacon();
    document.addEventListener("submit", async (event) => {
      if (event.defaultPrevented || event.target.dataset.tracked) return;
      event.preventDefault();
      await beacon();
      event.target.dataset.tracked = "1";
      setTimeout(() => event.target.submit(), 300);
    });`);
}

/** Lets the forms of a page post to its own path when it is shown at another. */
function withAction({ safeHtml }: SafeHtml, path: string): SafeHtml {
  return { safeHtml: safeHtml.replaceAll('<form method="post"', `<form method="post" action="${path}"`) };
}

/** The merchants' carts of the Storefront API last as long as the gallery. */
function tableInMemory<Row extends { id: string }>(): Table<Row> {
  const rows = new Map<string, Row>();
  return { get: (id) => rows.get(id), put: (row) => void rows.set(row.id, row), all: () => [...rows.values()] };
}

const NO_FAULTS: Faults = {
  add: (scheduled) => ({ id: "", ...scheduled }),
  pending: () => [],
  clear: () => {},
  consume: () => [],
};
