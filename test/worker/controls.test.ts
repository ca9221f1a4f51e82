/** Texts of controls in the languages of merchants. */
import { expect, it } from "vitest";
import { type ControlKind, findControl } from "../../src/worker/checkout/controls.ts";
import type { FrameView } from "../../src/worker/checkout/page-snapshot.ts";

const KINDS: readonly ControlKind[] = ["checkout", "continue", "pay"];

async function kindsOf(text: string): Promise<ControlKind[]> {
  const control = { index: 0, tag: "button", text, name: "", disabled: false, isSubmit: true };
  const view = { controls: [control] } as unknown as FrameView;
  const found = await Promise.all(KINDS.map(async (kind) => ((await findControl(view, kind, null)) ? kind : null)));
  return found.filter((kind) => kind !== null);
}

it.each<[kind: ControlKind, texts: readonly string[]]>([
  [
    "checkout",
    [
      "Checkout",
      "Proceed to checkout",
      "Zur Kasse",
      "Naar de kassa",
      "Przejdź do kasy",
      "Till kassan",
      "Gå til kassen",
      "レジに進む",
    ],
  ],
  [
    "continue",
    [
      ...[
        "Continue",
        "Save and continue",
        "Next",
        "Use this address",
        "Review order",
        "Proceed to secure payment",
        "Weiter",
      ],
      ...[
        "Zur Zahlung",
        "Poursuivre",
        "Passer au paiement",
        "Siguiente",
        "Prosegui",
        "Verder",
        "Dalej",
        "Przejdź do płatności",
      ],
      ...["Fortsätt", "Nästa", "Fortsæt", "Neste", "Jatka", "Avançar", "Pokračovat", "次へ進む"],
    ],
  ],
  [
    "pay",
    [
      ...[
        "Pay £31.40",
        "Place order",
        "Complete purchase",
        "Confirm your order",
        "Jetzt kaufen",
        "Zahlungspflichtig bestellen",
      ],
      ...[
        "Bestellung abschließen",
        "Payer 31,40 €",
        "Valider ma commande",
        "Confirmer et payer",
        "Confirmar pedido",
        "Paga ora",
      ],
      ...[
        "Conferma ordine",
        "Bestelling plaatsen",
        "Zapłać 120,00 zł",
        "Złóż zamówienie",
        "Kupuję i płacę",
        "Betala 299 kr",
      ],
      ...[
        "Slutför köp",
        "Gennemfør køb",
        "Fullfør bestilling",
        "Maksa tilaus",
        "Concluir compra",
        "Zaplatit",
        "注文を確定する",
        "購入する",
      ],
    ],
  ],
])("%s: %o", async (kind, texts) => {
  for (const text of texts) expect([text, await kindsOf(text)]).toEqual([text, expect.arrayContaining([kind])]);
});

it("clicks no control of another payment method, and none that leaves the checkout", async () => {
  const others = [
    ...[
      "Pay with PayPal",
      "Buy with G Pay",
      "Pay with iDEAL",
      "Express checkout",
      "Continue with Apple",
      "Betala med Swish",
    ],
    ...[
      "Continue shopping",
      "Weiter einkaufen",
      "Kontynuuj zakupy",
      "Fortsätt handla",
      "Continuar comprando",
      "買い物を続ける",
    ],
    ...["Remove", "Apply coupon", "Subscribe", "Edit"],
  ];
  for (const text of others) expect([text, await kindsOf(text)]).toEqual([text, []]);
});

it("does not treat a step that is named after the order as the order", async () => {
  for (const text of ["Next: Place Order", "Continue – Place order", "Weiter: Zahlungspflichtig bestellen"])
    expect([text, await kindsOf(text)]).toEqual([text, ["continue"]]);
});

it("does not treat the way to the payment as the payment", async () => {
  for (const text of [
    "Continue to payment",
    "Proceed to payment",
    "Zur Zahlung",
    "Passer au paiement",
    "Ir al pago",
    "Przejdź do płatności",
    "Till betalning",
  ])
    expect([text, await kindsOf(text)]).toEqual([text, ["continue"]]);
});
