/** Why mail is not taken, as SMTP says it (RFC 5321 section 4.2, RFC 3463). */
export class MailRefusedError extends Error {
  /** 4xx: may be tried again. */
  readonly responseCode: 421 | 450 | 451 | 452 | 550 | 552 | 554;
  constructor(responseCode: MailRefusedError["responseCode"], message: string) {
    super(message);
    this.name = "MailRefusedError";
    this.responseCode = responseCode;
  }
}

export const noSuchMailbox = () => new MailRefusedError(550, "5.1.1 There is no such mailbox here.");
export const mailboxClosed = () => new MailRefusedError(550, "5.2.1 This mailbox takes no mail now.");
export const senderRefused = () => new MailRefusedError(550, "5.7.1 This mailbox takes no mail from this sender.");
export const senderUnknown = () =>
  new MailRefusedError(451, "4.7.0 The sender could not be checked. Try again in a few minutes.");
export const tooManyFromSender = () =>
  new MailRefusedError(450, "4.7.1 Too much mail from this sender. Try again in a minute.");
export const tooManyFromHost = () =>
  new MailRefusedError(451, "4.7.1 Too much mail from this host. Try again in a minute.");
export const mailboxBusy = () =>
  new MailRefusedError(451, "4.3.2 Too much mail for this mailbox at once. Try again in a few minutes.");
export const tooLarge = (maxBytes: number) =>
  new MailRefusedError(552, `5.3.4 A message may have at most ${maxBytes} bytes.`);
export const tooManyHops = () =>
  new MailRefusedError(554, "5.4.6 This message has come through too many servers: it runs in a circle.");
export const notStored = () => new MailRefusedError(451, "4.3.0 The message could not be kept. Try again later.");
export const closing = () => new MailRefusedError(421, "4.3.2 This server is going away. Try again in a moment.");
