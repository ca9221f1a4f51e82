/** Placeholder shown while content loads. Give it the size of the content to prevent layout shift. */
export function Skeleton({ className = "h-5 w-40" }: { readonly className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block motion-safe:animate-pulse rounded bg-line align-middle ${className}`}
    />
  );
}

/** Placeholder rows shown while a list loads. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never reordered
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
