/** Types of `unicode-confusables`, which publishes its own under a file name that TypeScript does not find. */
declare module "unicode-confusables" {
  /** Replaces each character by the prototype that it can be confused with (UTS #39, confusables.txt). */
  export function rectifyConfusion(text: string): string;
}
