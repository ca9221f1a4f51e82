// Checkout forms work without scripts. This script sends the card to the processor and updates single-page checkouts.
const form = document.getElementById("checkout");
const problems = document.getElementById("problems");

// The required fields depend on the delivery method.
document.querySelectorAll("#information [data-reload]").forEach((choice) => {
  choice.addEventListener("change", () => {
    choice.form.action += "?again";
    choice.form.submit();
  });
});

const bank = document.querySelector("[data-bank]");
if (bank) {
  addEventListener("message", ({ data, origin }) => {
    if (origin === bank.dataset.bank && data?.type === "bank-answered") location.assign(bank.dataset.return);
  });
}

if (form) {
  const button = document.getElementById("pay");
  const frame = form.querySelector("iframe.card");
  const processor = new URL(frame.src).origin;

  const body = () => new URLSearchParams(new FormData(form));
  let updates = Promise.resolve({});

  let latestSequence = 0;
  async function update(sent, sequence) {
    const response = await fetch(form.dataset.update, { method: "POST", body: sent });
    const { deliveryHtml, summaryHtml, errors } = await response.json();
    // An outdated response must not overwrite a newer one.
    if (sequence === latestSequence) {
      document.getElementById("delivery").innerHTML = deliveryHtml;
      document.getElementById("summary").innerHTML = summaryHtml;
    }
    return errors;
  }
  const queueUpdate = () => {
    latestSequence += 1;
    const [sent, sequence] = [body(), latestSequence];
    updates = updates.catch(() => {}).then(() => update(sent, sequence));
    return updates;
  };
  if (form.dataset.update) {
    let debounceTimer;
    form.addEventListener("input", () => {
      clearTimeout(debounceTimer);
      debounceTimer = setTimeout(queueUpdate, 300);
    });
    form.addEventListener("change", async ({ target }) => {
      clearTimeout(debounceTimer);
      await queueUpdate();
      if (target.dataset?.reload !== undefined) location.reload();
    });
  }

  /** Returns the card's token, or null if the card frame reports invalid fields. */
  function tokenise() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ type: "timeout" }), 15_000);
      function settle(data) {
        clearTimeout(timer);
        removeEventListener("message", onMessage);
        resolve(data.type === "token" ? data.token : null);
      }
      function onMessage({ data, origin }) {
        if (origin === processor && (data?.type === "token" || data?.type === "invalid")) settle(data);
      }
      addEventListener("message", onMessage);
      frame.contentWindow.postMessage({ type: "tokenise" }, processor);
    });
  }

  function showError(message) {
    problems.innerHTML = "";
    const line = document.createElement("p");
    line.className = "error";
    line.textContent = message;
    problems.append(line);
    button.disabled = false;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    problems.innerHTML = "";
    try {
      const errors = form.dataset.update ? await queueUpdate() : {};
      const [error] = Object.values(errors);
      if (error) return showError(error);
      const token = await tokenise();
      if (token === null) return showError("Check your card details.");
      form.elements.payment_token.value = token;
      if (form.dataset.send === "form") return form.submit();
      const send = () => fetch(form.action, { method: "POST", body: body() });
      const sent = form.dataset.send === "thrice" ? [send(), send(), send()] : [send()];
      const response = await Promise.any(sent);
      if (response.redirected) location.assign(response.url);
      else showError("Something went wrong. Please try again.");
    } catch {
      showError("Something went wrong. Please try again.");
    }
  });
}
