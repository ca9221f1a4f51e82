import { Suspense, useMemo } from "react";
import { Provider } from "urql";
import { matchRoute, useLocation, useRouter } from "wouter";
import { Boundary } from "../components/boundary.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { Toasts } from "../components/toasts.tsx";
import { createGraphqlClient } from "../graphql/client.ts";
import { NotFoundPage } from "../pages/not-found-page.tsx";
import { ROUTES } from "./routes.ts";
import { Shell } from "./shell.tsx";
import { redirectToSignIn } from "./sign-in-link.ts";
import { shownAccountId } from "./use-account-change.ts";

/** Root component: GraphQL client, toasts and router. */
export function App() {
  const client = useMemo(() => createGraphqlClient({ onSignedOut: redirectToSignIn, shownAccountId }), []);
  return (
    <Provider value={client}>
      <Toasts>
        <CurrentPage />
      </Toasts>
    </Provider>
  );
}

/** Renders the page of the current path. All pages share one `Shell` element, so navigation preserves keyboard focus in it. */
function CurrentPage() {
  const { parser } = useRouter();
  const [currentPath] = useLocation();
  for (const { path, frame, Page } of ROUTES) {
    const [isMatch, params] = matchRoute(parser, path, currentPath);
    if (!isMatch) continue;
    return (
      <Shell frame={frame}>
        <Boundary key={path}>
          <Suspense fallback={<PageSkeleton />}>
            <Page params={params as Record<string, string>} />
          </Suspense>
        </Boundary>
      </Shell>
    );
  }
  return (
    <Shell frame="plain">
      <NotFoundPage />
    </Shell>
  );
}
