import { PageTitle } from "../../components/page-title.tsx";

/** The same words for what never was, what is decided and what has expired: a link tells nobody anything. */
export function Over() {
  return (
    <>
      <PageTitle>This request is over</PageTitle>
      <p className="mt-3">It was answered already, or has expired, or was never made. Nothing was allowed just now.</p>
      <p className="mt-3">Go back to the app that sent you here, and start again there.</p>
    </>
  );
}
