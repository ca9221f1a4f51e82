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

  let newest = 0;
  async function update(sent, turn) {
    const response = await fetch(form.dataset.update, { method: "POST", body: sent });
    const { deliveryHtml, summaryHtml, errors } = await response.json();
    // An outdated response must not overwrite a newer one.
    if (turn === newest) {
      document.getElementById("delivery").innerHTML = deliveryHtml;
      document.getElementById("summary").innerHTML = summaryHtml;
    }
    return errors;
  }
  const updateInTurn = () => {
    newest += 1;
    const [sent, turn] = [body(), newest];
    updates = updates.catch(() => {}).then(() => update(sent, turn));
    return updates;
  };
  if (form.dataset.update) {
    let pause;
    form.addEventListener("input", () => {
      clearTimeout(pause);
      pause = setTimeout(updateInTurn, 300);
    });
    form.addEventListener("change", async ({ target }) => {
      clearTimeout(pause);
      await updateInTurn();
      if (target.dataset?.reload !== undefined) location.reload();
    });
  }

  /** Returns the card's token, or null if the card frame reports invalid fields. */
  function tokenise() {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ type: "timeout" }), 15_000);
      function settle(data) {
        clearTimeout(timer);
        removeEventListener("message", hear);
        resolve(data.type === "token" ? data.token : null);
      }
      function hear({ data, origin }) {
        if (origin === processor && (data?.type === "token" || data?.type === "invalid")) settle(data);
      }
      addEventListener("message", hear);
      frame.contentWindow.postMessage({ type: "tokenise" }, processor);
    });
  }

  function stop(message) {
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
      const errors = form.dataset.update ? await updateInTurn() : {};
      const [error] = Object.values(errors);
      if (error) return stop(error);
      const token = await tokenise();
      if (token === null) return stop("Check your card details.");
      form.elements.payment_token.value = token;
      if (form.dataset.send === "form") return form.submit();
      const send = () => fetch(form.action, { method: "POST", body: body() });
      const sent = form.dataset.send === "thrice" ? [send(), send(), send()] : [send()];
      const response = await Promise.any(sent);
      if (response.redirected) location.assign(response.url);
      else stop("Something went wrong. Please try again.");
    } catch {
      stop("Something went wrong. Please try again.");
    }
  });
}
