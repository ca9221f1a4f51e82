import { html } from "../../../mail/html.ts";
import { separateFrames } from "../markup/card.ts";
import { deliveryRadios } from "../markup/delivery.ts";
import { expressButtons } from "../markup/deviations.ts";
import { address, checkbox } from "../markup/fields.ts";
import { button, onPress, section } from "../markup/layout.ts";
import { totals } from "../markup/totals.ts";
import { count } from "../order.ts";
import { endpoint, type Shape } from "../shape.ts";

const SUBMIT = `
  const url = "/checkouts/unstable/graphql";
  const attemptToken = gallery.settings.orderId + "-" + crypto.randomUUID();
  const token = await gallery.askFrame("tokenise");
  const input = { ...gallery.fieldsOf(), payment_token: token };
  const submitted = await gallery.send(url + "?operationName=SubmitForCompletion", { operationName: "SubmitForCompletion", variables: { attemptToken, input } });
  const failed = submitted.json?.data.submitForCompletion.errors?.[0];
  if (failed) throw new Error(failed.localizedMessage);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 700));
    const poll = await gallery.send(url + "?operationName=PollForReceipt", { operationName: "PollForReceipt", variables: { receiptId: attemptToken } });
    if (!poll.ok) throw new Error("We couldn't load the status of your order.");
    if (poll.json.data.receipt.__typename === "ProcessedReceipt") return void (location.href = "/thanks");
  }`;

export const shape: Shape = {
  title: "Shopify: card fields in four frames, one mutation for the payment, polls of the receipt by POST.",
  source: "https://help.shopify.com/en/manual/checkout-settings/customize-checkout-configurations/one-page-checkout",
  market: "US",
  pages: [
    {
      path: "/checkout",
      step: "payment",
      content: (view) => html`${expressButtons()}
        <form id="checkout">${section("Contact", address(view, { only: ["email"] }), checkbox("marketing", "Email me with news and offers"))}
        ${section("Delivery", address(view, { without: ["email"], names: { state: "zone", postcode: "postalCode" } }))}
        ${section("Shipping method", deliveryRadios(view))}
        ${section("Payment", html`<p>All transactions are secure and encrypted.</p>`, separateFrames(view, ["number", "expiry", "code", "name"]), checkbox("billing_same", "Use shipping address as billing address", "checked"))}
        ${totals(view)} ${button("Pay now")}</form>${onPress("#checkout", SUBMIT)}`,
    },
  ],
  endpoints: [
    endpoint("POST", "/checkouts/unstable/graphql", "payment", ({ view, body, response, pay }) => {
      if (body.operationName === "SubmitForCompletion") {
        const { attemptToken, input } = body.variables;
        const paid = pay(view.processor.redeem(input.payment_token), attemptToken);
        const errors = "error" in paid ? [{ localizedMessage: paid.error }] : [];
        return void response.json({ data: { submitForCompletion: { errors } } });
      }
      const isProcessed = count(view.order, "polls") >= 3;
      response.json({ data: { receipt: { __typename: isProcessed ? "ProcessedReceipt" : "ProcessingReceipt" } } });
    }),
  ],
};
