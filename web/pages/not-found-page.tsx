import { Link } from "wouter";
import { PATHS } from "../app/paths.ts";
import { PageTitle } from "../components/page-title.tsx";

export function NotFoundPage() {
  return (
    <>
      <PageTitle>There is no such page</PageTitle>
      <p className="mt-2">
        The address may be old or mistyped. Your money is where it was:{" "}
        <Link href={PATHS.overview} className="text-leather underline underline-offset-3">
          see the overview
        </Link>
        .
      </p>
    </>
  );
}
