/** Sender rules of a mailbox: allowed and blocked addresses and domains. */
import type { MailRule } from "../../generated/prisma/client.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { isOneAddress } from "../platform/email/mailer.ts";
import { InvalidRequestError, NotFoundError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { toAsciiAddress } from "./ascii-address.ts";
import type { AgentMailDeps } from "./deps.ts";
import { requireMailAccess, requireMailbox } from "./mailboxes.ts";
import { withMailboxLock } from "./threads.ts";

export type RuleAction = "allow" | "block";

const MAX_RULES = 500;
const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns true if the rules permit mail from an address. Block rules win; if any allow rule exists, one must match. */
export function isAllowed(rules: readonly Pick<MailRule, "action" | "pattern">[], address: string): boolean {
  const patterns = new Set(listPatterns(address));
  const matches = (action: RuleAction) =>
    rules.some((rule) => rule.action === action && patterns.has(toAsciiAddress(rule.pattern)));
  if (matches("block")) return false;
  return matches("allow") || rules.every(({ action }) => action !== "allow");
}

/** Returns the matching patterns; for `ada@mail.example.com`: itself, `mail.example.com`, `example.com`, `com`. */
function listPatterns(address: string): string[] {
  const whole = toAsciiAddress(address);
  const labels = whole.slice(whole.lastIndexOf("@") + 1).split(".");
  return [whole, ...labels.map((_label, index) => labels.slice(index).join("."))];
}

/**
 * Allows or blocks an address, or a domain with its subdomains. Replaces an existing rule for the same pattern.
 * @throws {InvalidRequestError | NotFoundError | ForbiddenError}
 */
export async function setMailRule(
  deps: AgentMailDeps,
  viewer: Viewer | null,
  input: { readonly action: RuleAction; readonly pattern: string },
): Promise<MailRule> {
  const { accountId } = requireMailAccess(viewer);
  // Internationalised domains are stored in their ASCII form, in which they are compared.
  const pattern = toAsciiAddress(input.pattern.trim().replace(/^@/, ""));
  if (!isOneAddress(pattern) && !DOMAIN.test(pattern)) {
    throw new InvalidRequestError("pattern must be an email address or a domain.", "pattern");
  }
  const { id: mailboxId } = await requireMailbox(deps.db, accountId);
  return await withMailboxLock(deps.db, accountId, async (tx) => {
    await tx.mailRule.deleteMany({ where: { mailboxId, pattern, action: { not: input.action } } });
    if ((await tx.mailRule.count({ where: { mailboxId, pattern: { not: pattern } } })) >= MAX_RULES) {
      throw new InvalidRequestError(
        `The mailbox already has ${MAX_RULES} rules. No rule was added. Remove one first.`,
        "pattern",
      );
    }
    const rule = { mailboxId, action: input.action, pattern };
    await tx.mailRule.createMany({ data: { id: newId("mrl"), ...rule }, skipDuplicates: true });
    return await tx.mailRule.findUniqueOrThrow({ where: { mailboxId_action_pattern: rule } });
  });
}

/** Removes a rule. @throws {NotFoundError} */
export async function removeMailRule(deps: AgentMailDeps, viewer: Viewer | null, ruleId: string): Promise<void> {
  const { accountId } = requireMailAccess(viewer);
  const { count } = await deps.db.prisma.mailRule.deleteMany({ where: { id: ruleId, mailbox: { accountId } } });
  if (count === 0) throw new NotFoundError("Rule not found. It may have been removed.");
}
