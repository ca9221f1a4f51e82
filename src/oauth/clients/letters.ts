/** What is written to an application's contacts when something was decided about it. Plain text, and no secret in it. */
import type { OAuthClient, OAuthClientReview } from "../../../generated/prisma/client.ts";

export interface ReviewLetter {
  readonly subject: string;
  readonly text: string;
}

type App = Pick<OAuthClient, "id" | "appName">;
type Review = Pick<OAuthClientReview, "fromStatus" | "toStatus" | "reason">;

/** @param dashboardUrl where the owner finds the application */
export function reviewLetter({ id, appName }: App, review: Review, dashboardUrl: string): ReviewLetter {
  const { subject, paragraphs } = contentOf(appName, review);
  const address = `${dashboardUrl}/developer/${id}`;
  const signature = `${appName}\nClient id  ${id}\nDashboard  ${address}`;
  return { subject, text: [...paragraphs, signature].join("\n\n") };
}

function contentOf(name: string, { fromStatus, toStatus, reason }: Review): { subject: string; paragraphs: string[] } {
  if (fromStatus === toStatus) {
    return {
      subject: `Addresses of ${name} changed`,
      paragraphs: [
        `The addresses that ${name} may use at Satchel were changed in the dashboard:`,
        reason ?? "",
        "They hold from now on. If this was not you, put them back, give the app a new secret, and write to whoever runs this service.",
      ],
    };
  }
  switch (toStatus) {
    case "approved":
      return {
        subject: `${name} is approved`,
        paragraphs: [
          `${name} may now ask people for permission to pay.`,
          ...(reason ? [`The reviewer's note: ${reason}`] : []),
          "The responsible party is locked from now on. App information and addresses stay yours to change.",
        ],
      };
    case "rejected":
      return {
        subject: `${name} is not approved`,
        paragraphs: [
          `${name} was reviewed and cannot ask people for permission to pay.`,
          `Why: ${reason}`,
          "Change what the reason names in the dashboard. Saving the change asks for a new review.",
        ],
      };
    case "revoked":
      return {
        subject: `${name} is revoked`,
        paragraphs: [
          `${name} can no longer reach any account. Every permission, token and code of it ended, and it can reserve no further payment. Payments signed before may still settle.`,
          `Why: ${reason}`,
          "This is final.",
        ],
      };
    default:
      return {
        subject: `${name} is back in review`,
        paragraphs: [
          `The changes to ${name} arrived and are reviewed again. Until then it cannot ask people for permission to pay.`,
        ],
      };
  }
}
