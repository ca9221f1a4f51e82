import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Fact, Facts } from "../../components/list.tsx";
import { Section } from "../../components/section.tsx";
import { Verbatim } from "../../components/verbatim.tsx";

/** How a program begins, with this installation's address filled in. */
export function HowToUse({ model }: { readonly model: string }) {
  const address = `${location.origin}/v1`;
  const snippet = snippetFor(address, model);
  return (
    <Section
      title="How to use it"
      hint="Any client that speaks OpenAI's API works unchanged: give it this address, and a token instead of a key."
    >
      <Facts>
        <Fact name="Base address">
          <span className="inline-flex max-w-full items-center gap-1">
            <code className="min-w-0 font-mono text-small break-all">{address}</code>
            <CopyButton text={address} what="the base address" />
          </span>
        </Fact>
        <Fact name="Key">
          <Link href={PATHS.tokens} className="text-leather underline underline-offset-3">
            one of your API tokens
          </Link>
        </Fact>
      </Facts>
      <div className="mt-6 mb-2 flex items-center justify-between gap-3">
        <p className="text-muted">With the openai client for JavaScript:</p>
        <CopyButton text={snippet} what="the code" look="button" />
      </div>
      <Verbatim label="How to ask a model" text={snippet} />
    </Section>
  );
}

function snippetFor(address: string, model: string): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  apiKey: process.env.SATCHEL_TOKEN,
  baseURL: ${JSON.stringify(address)},
});
const { choices } = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: "user", content: "Where does everything belong?" }],
});
console.log(choices[0].message.content);`;
}
