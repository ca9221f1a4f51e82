/* Shows new messages when they arrive. Without this script, a reload shows them. */
const messages = document.getElementById("messages");
const news = document.getElementById("news");

new EventSource("/events").addEventListener("mail", async ({ data }) => {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("messages");
  const focused = document.activeElement?.id;
  messages.replaceChildren(...fresh.childNodes);
  if (focused) document.getElementById(focused)?.focus();
  news.textContent = `New message: ${JSON.parse(data).subject || "(no subject)"}`;
});
