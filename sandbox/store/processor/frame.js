// The store's page requests a token for the card. It never receives the card itself.
const form = document.getElementById("card");
const storeOrigin = form.dataset.shop;
const field = (name) => form.querySelector(`[data-card="${name}"]`);
const textOf = (name) => field(name)?.value ?? "";

field("number").addEventListener("input", ({ target }) => {
  const digits = target.value.replace(/\D/g, "").slice(0, 19);
  target.value = digits.replace(/(\d{4})(?=\d)/g, "$1 ");
});
field("expiry")?.addEventListener("input", ({ target }) => {
  const digits = target.value
    .replace(/\D/g, "")
    .replace(/^(\d{2})20(?=\d{2}$)/, "$1")
    .slice(0, 4);
  target.value = digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
});

function typedCard() {
  const [month = "", year = ""] = field("expiry")
    ? textOf("expiry")
        .split("/")
        .map((part) => part.trim())
    : [];
  return {
    number: textOf("number"),
    month: month || textOf("month"),
    year: year || textOf("year"),
    code: textOf("code"),
    name: textOf("name"),
  };
}

function show(errors) {
  for (const element of form.querySelectorAll(".error")) element.textContent = "";
  for (const [name, message] of Object.entries(errors)) {
    const shown = name === "month" && field("expiry") ? "expiry" : name;
    document.getElementById(`${shown}-error`).textContent = message;
  }
}

addEventListener("message", async ({ data, origin, source }) => {
  if (origin !== storeOrigin || data?.type !== "tokenise") return;
  const reply = (message) => source.postMessage(message, { targetOrigin: storeOrigin });
  try {
    const response = await fetch("/tokens", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(typedCard()),
    });
    const { token, errors = {} } = await response.json();
    show(errors);
    reply(token ? { type: "token", token } : { type: "invalid" });
  } catch {
    reply({ type: "invalid" });
  }
});
form.addEventListener("submit", (event) => event.preventDefault());
parent.postMessage({ type: "card-ready" }, storeOrigin);
