import { Link } from "wouter";
import { PATHS } from "../app/paths.ts";
import { PageTitle } from "../components/page-title.tsx";

export function NotFoundPage() {
  return (
    <>
      <PageTitle>Page not found</PageTitle>
      <p className="mt-2">
        The URL may be outdated or mistyped.{" "}
        <Link href={PATHS.overview} className="text-leather underline underline-offset-3">
          Go to overview
        </Link>
      </p>
    </>
  );
}
