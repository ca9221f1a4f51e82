/** What is recorded of forwarded mail (ARC, RFC 8617), of several authors, and of internationalised senders. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { type ARCSealOptions, sealMessage } from "mailauth";
import { beforeAll, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { sendRaw, setDns } from "./senders.ts";

const FORWARDER = "lists.forwarder.example";
let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;
let seal: ARCSealOptions & { readonly authResults: string; readonly cv: string };

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
  const selector = `arc-${randomBytes(4).toString("hex")}`;
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  await setDns(stack, [
    { name: `${selector}._domainkey.${FORWARDER}`, type: "TXT", data: `v=DKIM1; k=rsa; p=${key}` },
    { name: "xn--bcher-kva.example", type: "TXT", data: "v=spf1 ip4:127.0.0.1 -all" },
    { name: "_dmarc.xn--bcher-kva.example", type: "TXT", data: "v=DMARC1; p=reject" },
  ]);
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const authResults = "mx.forwarder.example; dmarc=pass header.from=ada.example";
  seal = { signingDomain: FORWARDER, selector, privateKey: pem, authResults, cv: "none", algorithm: "rsa-sha256" };
});

/** Sends a message and returns it as REST states it. */
async function receive(raw: string, from = "bounces@forwarder.example") {
  const response = await sendRaw(stack, mailbox.address, raw, from);
  const id = /aem_\w+/.exec(response)?.[0] ?? "";
  const inbox = await fetch(`${stack.baseUrl}/api/agent/email/inbox?limit=50`, {
    headers: { "x-service-token": account.token },
  });
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the contract's.
  const { messages } = (await inbox.json()) as { messages: any[] };
  return messages.find((message) => message.id === id);
}

const message = (text: string) =>
  ["From: Ada <ada@ada.example>", "To: list@forwarder.example", `Subject: ${text}`, "", `${text}.`, ""].join("\r\n");
const sealed = async (raw: string) => `${String(await sealMessage(Buffer.from(raw), { ...seal }))}${raw}`;

it("records an intact chain with its sealer, which does not change the verdict", async () => {
  const { authentication } = await receive(await sealed(message("Forwarded")));
  expect(authentication).toMatchObject({ arc: "pass", arcSealer: FORWARDER, authors: [] });
  const { authentication: direct } = await receive(message("Direct"));
  expect(direct).toMatchObject({ arc: "none", arcSealer: null, verdict: authentication.verdict });
});

it("records a chain that was broken, without its sealer", async () => {
  const raw = (await sealed(message("Changed"))).replace("Changed.", "Forged.");
  expect((await receive(raw)).authentication).toMatchObject({ arc: "fail", arcSealer: null });
});

it("does not check a chain of more than ten seals", async () => {
  const seals = Array.from(
    { length: 11 },
    (_, n) => `ARC-Seal: i=${n + 1}; a=rsa-sha256; cv=none; d=x.example; s=x; b=AAAA`,
  );
  const { authentication } = await receive(`${seals.join("\r\n")}\r\n${message("Long")}`);
  expect(authentication).toMatchObject({ arc: "permerror", arcSealer: null });
});

it("names several authors, distrusts them, and says why", async () => {
  const found = await receive(`From: Eve <eve@eve.example>\r\n${message("Two authors")}`);
  expect(found.authentication).toMatchObject({
    ...{ verdict: "suspicious", authors: ["eve@eve.example", "ada@ada.example"] },
  });
  expect(found.warnings).toEqual([
    { code: "several_authors", message: expect.stringContaining("several From fields") },
  ]);
});

it.each(["bücher.example", "xn--bcher-kva.example", "BÜCHER.example"])(
  "checks SPF and DMARC of an internationalised domain: %s",
  async (domain) => {
    const raw = message(`From ${domain}`).replace("ada@ada.example", `ada@${domain}`);
    const { authentication } = await receive(raw, "ada@xn--bcher-kva.example");
    expect(authentication).toMatchObject({ spf: "pass", dmarc: "pass", verdict: "authentic" });
  },
);
