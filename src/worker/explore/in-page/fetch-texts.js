// Runs in a merchant's page, which is untrusted. Fetches other pages of the site without showing them.
// Called with { urls, maxCharacters, timeoutMs }; returns one entry per URL, null for failed requests.
async ({ urls, maxCharacters, timeoutMs }) =>
  await Promise.all(
    urls.map(async (address) => {
      try {
        const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
        const isText = /html|xml|text\/plain/i.test(response.headers.get("content-type") ?? "");
        const text = isText ? (await response.text()).slice(0, maxCharacters) : "";
        return { url: response.url, status: response.status, text };
      } catch {
        return null;
      }
    }),
  );
