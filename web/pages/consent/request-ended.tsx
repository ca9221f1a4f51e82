import { PageTitle } from "../../components/page-title.tsx";

/** Shown alike for unknown, decided and expired requests, which reveals nothing about a guessed link. */
export function RequestEnded() {
  return (
    <>
      <PageTitle>Request not available</PageTitle>
      <p className="mt-3">The request was already decided, has expired or does not exist. No access was granted.</p>
      <p className="mt-3">Return to the app and start again.</p>
    </>
  );
}
