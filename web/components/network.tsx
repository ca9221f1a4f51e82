/** Networks whose money is for testing, and worth nothing. */
export const TEST_NETWORKS: readonly string[] = ["base-sepolia", "solana-devnet"];

/** A network by the name the service calls it, and whether its money is only for testing. */
export function Network({ name }: { readonly name: string }) {
  return (
    <>
      {name}
      {TEST_NETWORKS.includes(name) && <span className="text-muted"> (test money)</span>}
    </>
  );
}
