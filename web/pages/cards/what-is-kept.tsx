import { Section } from "../../components/section.tsx";

/** What this service has of a card, who sees which of it, and until when. */
export function WhatIsKept({ keepsSecurityCodes }: { readonly keepsSecurityCodes: boolean }) {
  return (
    <Section title="What is kept">
      <ul className="grid max-w-[72ch] list-disc gap-1 pl-5">
        <li>The number is sealed. It is opened for one purchase at a time, and shown to nobody, not even to you.</li>
        {keepsSecurityCodes ? (
          <li>The security code is sealed with it.</li>
        ) : (
          <li>Security codes are not kept. When a shop wants yours, you are asked for it on the order’s page.</li>
        )}
        <li>Agents see the brand, the last four digits, the expiry date, the names and the billing country.</li>
        <li>Removing a card destroys its number. Orders go on showing its brand and last four digits.</li>
      </ul>
    </Section>
  );
}
