// Card fields of the processor. Frames of one order share their values at the processor's origin, never with the merchant.
const query = new URLSearchParams(location.search);
const merchant = query.get("merchant");
const values = {};
const channel = new BroadcastChannel(`card-${query.get("order")}`);
channel.onmessage = ({ data }) => {
  if (data.request) share();
  else values[data.name] = data.value;
};

function share() {
  for (const input of document.querySelectorAll("input")) {
    channel.postMessage({ name: input.dataset.field, value: input.value });
    values[input.dataset.field] = input.value;
  }
  // Pages may turn their pay button on once the card is complete.
  const isComplete = Boolean(values.number && values.expiry && values.code);
  parent.postMessage({ event: "change", isComplete }, merchant);
}

function format(input) {
  const digits = input.value.replace(/\D/g, "");
  if (input.dataset.field === "number") input.value = digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, "$1 ");
  if (input.dataset.field === "expiry" && digits.length >= 3)
    input.value = `${digits.slice(0, 2)} / ${digits.slice(2, 4)}`;
}

document.addEventListener("input", ({ target }) => {
  format(target);
  share();
});
document.addEventListener("change", share);

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json = await response.json();
  if (!response.ok) throw new Error(json.error);
  return json;
}

const actions = {
  // The merchant's page may know the expiry date itself.
  tokenise: async ({ expiry }) => (await post("/tokens", { ...values, ...(expiry ? { expiry } : {}), merchant })).token,
  encrypt: async () => (await post("/encryptions", { ...values, merchant })).fields,
  confirm: async ({ intent }) => await post(`/intents/${intent}/confirm`, { ...values, merchant }),
};

addEventListener("message", async ({ origin, data, source }) => {
  if (origin !== merchant || !actions[data?.action]) return;
  share();
  const reply = { id: data.id };
  try {
    reply.result = await actions[data.action](data);
  } catch (error) {
    reply.error = error.message;
  }
  source.postMessage(reply, merchant);
});
