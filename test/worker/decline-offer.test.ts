import { describe, expect, it } from "vitest";
import { isDecline } from "../../src/worker/checkout/decline-offer.ts";
import { isCardMethod, isGuestCheckout } from "../../src/worker/checkout/next-control.ts";

describe("a control declines an offer", () => {
  it.each([
    ...["No thanks", "No, thank you.", "No thanks, continue to checkout →", "Skip", "Skip this offer", "Not now"],
    ...["× Decline", "Continue without protection", "I don't need cover", "Nein danke", "Weiter ohne Versicherung"],
    ...[
      "Non merci",
      "Continuer sans assurance",
      "Passer cette étape",
      "No, gracias",
      "Continuar sin seguro",
      "No grazie",
    ],
    ...[
      "Nee, bedankt",
      "Doorgaan zonder verzekering",
      "Nie, dziękuję",
      "Pomiń",
      "Nej tack",
      "Fortsätt utan försäkring",
    ],
    ...["いいえ、結構です", "スキップ"],
  ])("%s", (text) => {
    expect(isDecline(text)).toBe(true);
  });

  it.each([
    ...[
      "Skip to content",
      "Passer la commande",
      "Add protection",
      "Continue",
      "Norway",
      "No. 5 Candle",
      "Nonstop delivery",
    ],
    ...["Yes, protect my order", "Weiter", "Zum Inhalt springen", "Checkout", "Remove"],
  ])("not: %s", (text) => {
    expect(isDecline(text)).toBe(false);
  });
});

describe("a control selects payment by card", () => {
  it.each([
    ...["Card", "Credit card", "Credit or debit card", "Debit/Credit Card", "Pay with card", "Pay by credit card"],
    ...["Kreditkarte", "Per Kreditkarte", "Carte bancaire", "Tarjeta de crédito", "Carta di credito", "Creditcard"],
    ...["Betala med kort", "Karta płatnicza", "クレジットカード"],
  ])("%s", (text) => {
    expect(isCardMethod(text)).toBe(true);
  });

  it.each([
    ...["Card number", "Gift ideas", "PayPal", "Pay now", "Carte cadeau", "Cardigan", "Continue with card on file"],
  ])("not: %s", (text) => {
    expect(isCardMethod(text)).toBe(false);
  });
});

it.each([
  ...[
    "Continue as guest",
    "Guest checkout",
    "Check out without an account",
    "Als Gast bestellen",
    "Ohne Konto fortfahren",
  ],
  ...[
    "Commander en tant qu’invité",
    "Comprar como invitado",
    "Continua come ospite",
    "Zonder account",
    "Kup bez rejestracji",
  ],
  ...["Fortsätt som gäst", "Continuar sem cadastro", "ゲストとして購入"],
])("%s continues without an account", (text) => {
  expect(isGuestCheckout(text)).toBe(true);
});

it.each(["Hello, guest", "Guest book", "Sign in", "Gastronomie"])("%s does not", (text) => {
  expect(isGuestCheckout(text)).toBe(false);
});
