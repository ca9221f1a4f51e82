// What the scripts of the merchants' pages share: the processor's frames, requests and the total of the selected delivery.
window.gallery = (() => {
  const settings = JSON.parse(document.getElementById("gallery-settings").textContent);

  /** Asks the processor's frame for a token, encrypted fields or the confirmation of a payment. */
  function askFrame(action, more = {}) {
    const frame = document.querySelector("iframe[data-controller]");
    const id = crypto.randomUUID();
    return new Promise((resolve, reject) => {
      const listen = ({ origin, data }) => {
        if (origin !== settings.processor || data?.id !== id) return;
        removeEventListener("message", listen);
        if (data.error) reject(new Error(data.error));
        else resolve(data.result);
      };
      addEventListener("message", listen);
      frame.contentWindow.postMessage({ id, action, ...more }, settings.processor);
    });
  }

  /** Values of all named controls in a part of the document, open shadow roots included. */
  function fieldsOf(root = document) {
    const values = {};
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) Object.assign(values, fieldsOf(element.shadowRoot));
      const name = element.getAttribute("name") ?? element.dataset?.name;
      if (!name || !("value" in element) || element.tagName === "BUTTON") continue;
      if ((element.type === "radio" || element.type === "checkbox") && !element.checked) continue;
      values[name] = element.value;
    }
    return values;
  }

  function show(message) {
    let notice = document.querySelector(".notice");
    if (!notice) {
      notice = Object.assign(document.createElement("div"), { className: "notice" });
      notice.setAttribute("role", "alert");
      document.querySelector("main").prepend(notice);
    }
    notice.textContent = message;
  }

  async function send(path, body, method = "POST", headers = {}) {
    const isForm = body instanceof URLSearchParams;
    const response = await fetch(path, {
      method,
      headers: isForm ? headers : { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let json = null;
    try {
      json = JSON.parse(text);
    } catch {}
    return { ok: response.ok, status: response.status, json };
  }

  /** Runs once per press of the pay button: disables it, and enables it again with the message of an error. */
  function onPress(selector, act) {
    const pressed = document.querySelector(selector);
    const target = pressed.tagName === "FORM" ? "submit" : "click";
    let isRunning = false;
    pressed.addEventListener(target, async (event) => {
      event.preventDefault();
      if (isRunning) return;
      if (pressed.form && !pressed.form.reportValidity()) return;
      isRunning = true;
      try {
        await act();
      } catch (error) {
        show(error.message);
      }
      isRunning = false;
    });
  }

  document.addEventListener("change", ({ target }) => {
    const sums = target.matches?.("[name=delivery]") ? settings.sums[target.value] : undefined;
    if (!sums) return;
    for (const [name, text] of Object.entries(sums)) {
      for (const cell of document.querySelectorAll(`[data-sum=${name}]`)) cell.textContent = text;
    }
  });

  // A form with the processor's frames gets its token before it is sent.
  document.addEventListener("submit", async (event) => {
    const token = event.target.querySelector("input[name=payment_token]");
    if (event.defaultPrevented || !token || token.value !== "" || !document.querySelector("iframe[data-controller]"))
      return;
    event.preventDefault();
    try {
      token.value = await askFrame("tokenise");
      event.target.submit();
    } catch (error) {
      show(error.message);
    }
  });

  return { askFrame, fieldsOf, show, send, onPress, settings };
})();
