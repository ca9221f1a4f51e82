/** Names of the test networks. Their tokens have no value. */
export const TEST_NETWORKS: readonly string[] = ["base-sepolia", "solana-devnet"];

/** Name of a network, marked if it is a test network. */
export function Network({ name }: { readonly name: string }) {
  return (
    <>
      {name}
      {TEST_NETWORKS.includes(name) && <span className="text-muted"> (test money)</span>}
    </>
  );
}
