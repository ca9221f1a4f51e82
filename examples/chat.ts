/**
 * Chats with a language model through the gateway, with OpenAI's client. Each call is paid from the account.
 *
 * Run: node examples/chat.ts "Where does everything belong?"
 *
 * MODEL is the model's name. SATCHEL_URL and SATCHEL_TOKEN name the service and an API token; without them it uses the sandbox
 * that `npm start` runs in this folder.
 */
import { readFileSync } from "node:fs";
import OpenAI from "openai";

const isSandbox = process.env["SATCHEL_URL"] === undefined;
const sandbox = isSandbox ? JSON.parse(readFileSync(".data/sandbox.json", "utf8")) : {};
const url = process.env["SATCHEL_URL"] ?? sandbox.baseUrl;
const token = process.env["SATCHEL_TOKEN"] ?? sandbox.apiToken;

const client = new OpenAI({ apiKey: token, baseURL: `${url}/v1` });
const request = {
  model: process.env["MODEL"] ?? "sandbox/echo",
  messages: [{ role: "user" as const, content: process.argv[2] ?? "Hello" }],
  // The maximum cost is reserved before the call. This limit reduces it.
  max_tokens: 200,
};

try {
  const { data, response } = await client.chat.completions.create(request).withResponse();
  console.log(data.choices[0]?.message.content);
  console.log(`Cost: ${response.headers.get("x-satchel-cost-usd")} USD`);

  for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
    process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  }
  process.stdout.write("\n");
} catch (error) {
  // 402: `spending_limit_exceeded`, or `payment_required` if neither credit nor the wallet covers the price.
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.error(error.status, error.code, error.message);
  process.exitCode = 1;
}
