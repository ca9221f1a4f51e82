/* Shows new mail as it arrives. Without it, the page shows the same when it is loaded again. */
const messages = document.getElementById("messages");
const news = document.getElementById("news");

new EventSource("/events").addEventListener("mail", async ({ data }) => {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("messages");
  const focused = document.activeElement?.id;
  messages.replaceChildren(...fresh.childNodes);
  if (focused) document.getElementById(focused)?.focus();
  news.textContent = `New mail: ${JSON.parse(data).subject || "(no subject)"}`;
});
