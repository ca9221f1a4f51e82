/** Returns a function that calls `act` once per key and caches the result until `clear` is called. */
export function dedupe<Input, Output>(key: (input: Input) => string, act: (input: Input) => Promise<Output>) {
  const results = new Map<string, Promise<Output>>();
  const run = (input: Input): Promise<Output> => {
    const name = key(input);
    const result = results.get(name) ?? act(input);
    results.set(name, result);
    return result;
  };
  return Object.assign(run, { clear: () => results.clear() });
}
