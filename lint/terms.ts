/** Words that Satchel's texts avoid, each with the field's term. One list for code, GraphQL descriptions and Markdown. */

/** An avoided word. */
export interface Term {
  /** Source of a regular expression for the word and its forms, matched case-insensitively between word boundaries. */
  readonly words: string;
  /** The terms to write instead. */
  readonly write: string;
  /** Phrases in which the word is correct, with the reason. */
  readonly allowed?: readonly AllowedPhrase[];
}

interface AllowedPhrase {
  readonly reason: string;
  /** Source of a regular expression for the words directly before. */
  readonly after?: string;
  /** Source of a regular expression for the words directly after. */
  readonly before?: string;
}

export const TERMS: readonly Term[] = [
  {
    words: "letters?",
    write: "message, email (mail); digest, fingerprint (of a request)",
    allowed: [
      {
        reason: "of the alphabet",
        after:
          "case|upper|lower|upper-?case|lower-?case|capital|small|latin|ascii|base\\d+|one|two|three|four|five|\\d+|digits (and|or)|digits,",
        before: "case|-?spacing|(and|or) (a )?(digits?|numbers?)|of the alphabet",
      },
    ],
  },
  { words: "told|tells?|telling", write: "notify, publish, report, deliver" },
  {
    words: "whoever|whomever|somebody|nobody|anybody|everybody",
    write: "the role: account, user, owner, client, caller, merchant",
  },
  { words: "its person|their person|people|folks?", write: "account owner, cardholder, user" },
  { words: "strangers?", write: "unknown sender, another account, unauthenticated client, untrusted server" },
  { words: "asks?|asked|asking", write: "request, query, call, require; prompt (a user)" },
  {
    words: "answers?|answered|answering",
    write: "response, result; respond, return, reply",
    allowed: [{ reason: "of a DNS message (RFC 1035)", before: "sections?|records?" }],
  },
  {
    words: "keeps?|kept|keeping",
    write: "store, cache, retain, preserve; remain",
    allowed: [{ reason: "of HTTP and TCP", before: "alives?" }],
  },
  {
    words: "takes?|took|taken|taking",
    write: "accept, claim, lease, consume, use; last (of time)",
    allowed: [{ reason: "fixed phrases", before: "effect|place|precedence|over" }],
  },
  { words: "looks? again|looked again|look(s|ed|ing)? (at|for|into)", write: "poll, check, reconcile, read, search" },
  {
    words: "stands?|stood",
    write: "status, state; is",
    allowed: [{ reason: "means", before: "for" }],
  },
  {
    words: "(its|their|whose|another's) turn|turns",
    write: "lease, slot, keyed lock",
    allowed: [{ reason: "of a switch, or a change", before: "(it |them )?(on|off|into)" }],
  },
  { words: "gathers?|gathered|gathering", write: "batch, coalesce, collect" },
  { words: "by (itself|themselves)", write: "automatically" },
  { words: "under ?way", write: "in flight, outstanding, pending" },
  {
    words: "once more|(try|tries|tried|trying) again",
    write: "retry",
    allowed: [{ reason: "registered meaning of WebSocket close code 1013", before: "later" }],
  },
  { words: "(is|are|was|were) over|time is up", write: "expired, ended" },
  { words: "(give|gives|gave|come|comes|came) back", write: "release, refund, reverse; revoke; return" },
  { words: "next best", write: "fallback" },
  { words: "at the moment|(at|of) the same moment", write: "currently, concurrently" },
  {
    words: "shops?",
    write: "merchant (checkout), seller (X402), sandbox store",
  },
  { words: "tills?|baskets?", write: "checkout, payment page, cart" },
  { words: "rooms?", write: "services, channel; space, capacity" },
  { words: "judges?|judged|judging", write: "evaluate, decide, verify" },
  { words: "perhaps", write: "may; unconfirmed" },
  { words: "anew", write: "again, new" },
  { words: "hers|theirs|ours", write: "the owner, by role" },
  { words: "overhears?|overheard|hears?|heard", write: "receive, intercept" },
  { words: "forgets?|forgot|forgotten|forgetting", write: "delete, discard, omit" },
  { words: "remembers?|remembered", write: "store, record, cache" },
  { words: "wants?|wanted|wish(es|ed)?|likes|liked", write: "request, require, expect" },
  { words: "whatever", write: "any, regardless of" },
  { words: "whereabouts|lest|thereof|amiss|nought|nudges?|zoo", write: "the field's noun" },
];

/** Source of the regular expression that finds a term where it is not allowed; to be used with the flags `gi`. */
export function termPattern({ words, allowed = [] }: Term): string {
  const either = (sources: (string | undefined)[]) => sources.filter((it) => it !== undefined).join("|");
  const after = either(allowed.map((phrase) => phrase.after));
  const before = either(allowed.map((phrase) => phrase.before));
  return [
    ...(after ? [`(?<!\\b(?:${after})[\\s-]+)`] : []),
    `\\b(?:${words})\\b`,
    before ? `(?![\\s-]+(?:${before})\\b)` : "(?!\\w)",
  ].join("");
}
