/** Servers that a message may have passed: the minimum that RFC 5321 section 6.3 permits for loop detection. */
export const MAX_HOPS = 100;

/** A refusal of incoming mail, as an SMTP reply (RFC 5321 section 4.2) with an enhanced status code (RFC 3463). */
export class MailRefusedError extends Error {
  /** 4xx: temporary, the sender retries. 5xx: permanent. */
  readonly responseCode: 421 | 450 | 451 | 452 | 550 | 552 | 554;
  constructor(responseCode: MailRefusedError["responseCode"], message: string) {
    super(message);
    this.name = "MailRefusedError";
    this.responseCode = responseCode;
  }
}

export const noSuchMailbox = () => new MailRefusedError(550, "5.1.1 The mailbox does not exist.");
export const mailboxClosed = () => new MailRefusedError(550, "5.2.1 The mailbox is disabled.");
export const senderRefused = () =>
  new MailRefusedError(550, "5.7.1 The mailbox does not accept mail from this sender.");
export const senderUnknown = () =>
  new MailRefusedError(
    451,
    "4.7.0 The sender could not be authenticated because of a DNS failure. Retry in a few minutes.",
  );
export const tooManyFromSender = () =>
  new MailRefusedError(450, "4.7.1 Too many messages from this sender. Retry in one minute.");
export const tooManyFromHost = () =>
  new MailRefusedError(451, "4.7.1 Too many messages from this host. Retry in one minute.");
export const tooSlow = () =>
  new MailRefusedError(451, "4.7.1 Messages from this host need too much time to parse. Retry in one minute.");
export const mailboxBusy = () =>
  new MailRefusedError(451, "4.3.2 Too many concurrent messages for this mailbox. Retry in a few minutes.");
export const tooLarge = (maxBytes: number) => new MailRefusedError(552, `5.3.4 The message exceeds ${maxBytes} bytes.`);
export const tooLargeUnproven = (maxBytes: number) =>
  new MailRefusedError(552, `5.3.4 A message from a sender without a DMARC or SPF pass may have ${maxBytes} bytes.`);
export const mailboxFull = () => new MailRefusedError(452, "4.2.2 The mailbox is full. Retry later.");
export const hostFull = () =>
  new MailRefusedError(452, "4.3.1 The mail stored from this host has reached its quota. Retry later.");
export const operatorRefused = () => new MailRefusedError(550, "5.7.1 The operator's mail server refused the message.");
export const ownTransaction = () =>
  new MailRefusedError(452, "4.5.3 Mail to the operator needs a transaction of its own. Retry for this recipient.");
export const tooManyHops = () =>
  new MailRefusedError(554, "5.4.6 Mail loop detected: the message has too many Received fields.");
export const notStored = () => new MailRefusedError(451, "4.3.0 The message could not be stored. Retry later.");
export const closing = () => new MailRefusedError(421, "4.3.2 The server is shutting down. Retry in a moment.");
