import { Suspense, useMemo } from "react";
import { Provider } from "urql";
import { Route, Switch } from "wouter";
import { Boundary } from "../components/boundary.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { Toasts } from "../components/toasts.tsx";
import { createGraphqlClient } from "../graphql/client.ts";
import { NotFoundPage } from "../pages/not-found-page.tsx";
import { ROUTES } from "./routes.ts";
import { BareFrame, DashboardFrame, PlainFrame } from "./shell.tsx";
import { goToSignIn } from "./sign-in-link.ts";

const FRAMES = { dashboard: DashboardFrame, plain: PlainFrame, bare: BareFrame };

/** The application: one client, one router, pages loaded as they are visited. */
export function App() {
  const client = useMemo(() => createGraphqlClient(goToSignIn), []);
  return (
    <Provider value={client}>
      <Toasts>
        <Switch>
          {ROUTES.map(({ path, frame, Page }) => {
            const Frame = FRAMES[frame];
            return (
              <Route key={path} path={path}>
                {(params) => (
                  <Frame>
                    <Boundary key={path}>
                      <Suspense fallback={<PageSkeleton />}>
                        <Page params={params as Record<string, string>} />
                      </Suspense>
                    </Boundary>
                  </Frame>
                )}
              </Route>
            );
          })}
          <Route>
            <PlainFrame>
              <NotFoundPage />
            </PlainFrame>
          </Route>
        </Switch>
      </Toasts>
    </Provider>
  );
}
