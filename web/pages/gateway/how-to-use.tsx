import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Section } from "../../components/section.tsx";
import { Verbatim } from "../../components/verbatim.tsx";

/** Instructions to call the gateway, with the base URL of this installation. */
export function HowToUse({ model }: { readonly model: string }) {
  const baseUrl = `${location.origin}/v1`;
  const snippet = snippetFor(baseUrl, model);
  return (
    <Section
      title="Usage instructions"
      hint="Any OpenAI client works. Set its base URL and use an API token as the key."
    >
      <Facts>
        <Fact name="Base URL">
          <span className="inline-flex max-w-full items-center gap-1">
            <code className="min-w-0 font-mono text-small break-all">{baseUrl}</code>
            <CopyButton text={baseUrl} what="the base URL" />
          </span>
        </Fact>
        <Fact name="API key">
          <Link href={PATHS.tokens} className="text-leather underline underline-offset-3">
            An API token
          </Link>
        </Fact>
      </Facts>
      <div className="mt-6 mb-2 flex items-center justify-between gap-3">
        <p className="text-muted">With the openai client for JavaScript:</p>
        <CopyButton text={snippet} what="the code" look="button" />
      </div>
      <Verbatim label="Request example" text={snippet} />
    </Section>
  );
}

function snippetFor(baseUrl: string, model: string): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  apiKey: process.env.SATCHEL_TOKEN,
  baseURL: ${JSON.stringify(baseUrl)},
});
const { choices } = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: "user", content: "Where does everything belong?" }],
});
console.log(choices[0].message.content);`;
}
