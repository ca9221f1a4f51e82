/** Emails to an application's contacts after a review or a change of the OAuth configuration. Plain text, without secrets. */
import type { OAuthClient, OAuthClientReview } from "../../../generated/prisma/client.ts";

export interface ReviewEmail {
  readonly subject: string;
  readonly text: string;
}

type App = Pick<OAuthClient, "id" | "appName">;
type Review = Pick<OAuthClientReview, "fromStatus" | "toStatus" | "reason">;

/**
 * Renders the email about a review.
 * @param dashboardUrl base URL of the dashboard, for the link to the application
 */
export function renderReviewEmail({ id, appName }: App, review: Review, dashboardUrl: string): ReviewEmail {
  const { subject, paragraphs } = renderContent(appName, review);
  const url = `${dashboardUrl}/developer/${id}`;
  const signature = `${appName}\nClient id  ${id}\nDashboard  ${url}`;
  return { subject, text: [...paragraphs, signature].join("\n\n") };
}

function renderContent(
  name: string,
  { fromStatus, toStatus, reason }: Review,
): { subject: string; paragraphs: string[] } {
  if (fromStatus === toStatus) {
    return {
      subject: `OAuth configuration of ${name} changed`,
      paragraphs: [
        `The OAuth configuration of ${name} was changed in the dashboard:`,
        reason ?? "",
        "The change is in effect. If you did not make it, restore the previous values, rotate the app's secret and contact the operator of this service.",
      ],
    };
  }
  switch (toStatus) {
    case "approved":
      return {
        subject: `${name} is approved`,
        paragraphs: [
          `${name} can now request payment permissions from users.`,
          ...(reason ? [`The reviewer's note: ${reason}`] : []),
          "The responsible party is now locked. You can still change app information, redirect URIs and origins.",
        ],
      };
    case "rejected":
      return {
        subject: `${name} is not approved`,
        paragraphs: [
          `${name} was reviewed and rejected. It cannot request payment permissions from users.`,
          `Reason: ${reason}`,
          "Correct the application in the dashboard. Saving the change submits it for another review.",
        ],
      };
    case "revoked":
      return {
        subject: `${name} is revoked`,
        paragraphs: [
          `${name} no longer has access to any account. All its grants, tokens and codes are revoked, and it cannot make further payments. Payments already signed may still settle.`,
          `Reason: ${reason}`,
          "A revocation is final.",
        ],
      };
    default:
      return {
        subject: `${name} is back in review`,
        paragraphs: [
          `The changes to ${name} were submitted for review. Until the review, it cannot request payment permissions from users.`,
        ],
      };
  }
}
