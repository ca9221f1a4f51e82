/** Runs `act` once for each key and hands later callers the same result, until told to forget. */
export function once<Input, Output>(key: (input: Input) => string, act: (input: Input) => Promise<Output>) {
  const results = new Map<string, Promise<Output>>();
  const run = (input: Input): Promise<Output> => {
    const name = key(input);
    const result = results.get(name) ?? act(input);
    results.set(name, result);
    return result;
  };
  return Object.assign(run, { forget: () => results.clear() });
}
