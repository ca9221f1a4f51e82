// Runs in a page of a shop, which is a stranger's: reads others of its pages as the browser would, without showing them.
// Called with { urls, mostCharacters, timeoutMs }; answers one entry for each, null for what could not be read.
async ({ urls, mostCharacters, timeoutMs }) =>
  await Promise.all(
    urls.map(async (address) => {
      try {
        const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
        const isText = /html|xml|text\/plain/i.test(response.headers.get("content-type") ?? "");
        const text = isText ? (await response.text()).slice(0, mostCharacters) : "";
        return { url: response.url, status: response.status, text };
      } catch {
        return null;
      }
    }),
  );
