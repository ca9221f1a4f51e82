/** A place held for what is on its way; give it the size of what will come, so that nothing moves. */
export function Skeleton({ className = "h-5 w-40" }: { readonly className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block motion-safe:animate-pulse rounded bg-line align-middle ${className}`}
    />
  );
}

/** Lines of a list on their way. */
export function SkeletonRows({
  count = 5,
  className = "h-12",
}: {
  readonly count?: number;
  readonly className?: string;
}) {
  return (
    <div aria-busy="true">
      <span className="sr-only" role="status">
        Loading
      </span>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div key={row} className={`flex items-center border-b border-line ${className}`}>
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <>
      <Skeleton className="h-10 w-56" />
      <div className="mt-8">
        <SkeletonRows />
      </div>
    </>
  );
}
