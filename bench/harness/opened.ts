/** What a bench has opened, to be closed in reverse, also when opening fails half way. */
export interface Opened {
  add<Thing>(thing: Thing, close: (thing: Thing) => Promise<unknown>): Thing;
  close(): Promise<void>;
}

/** Runs `open`; if it throws, closes what it had opened so far. */
export async function openAll<Result>(open: (opened: Opened) => Promise<Result>): Promise<Result> {
  const closers: (() => Promise<unknown>)[] = [];
  const opened: Opened = {
    add(thing, close) {
      closers.push(() => close(thing));
      return thing;
    },
    async close() {
      for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
    },
  };
  try {
    return await open(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}
