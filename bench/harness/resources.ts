/** Open resources of a benchmark. They are closed in reverse order, also after a failure during the set-up. */
export interface Resources {
  add<Resource>(resource: Resource, close: (resource: Resource) => Promise<unknown>): Resource;
  close(): Promise<void>;
}

/** Runs `open`. If it throws, closes the resources that it has opened. */
export async function openResources<Result>(open: (resources: Resources) => Promise<Result>): Promise<Result> {
  const closers: (() => Promise<unknown>)[] = [];
  const resources: Resources = {
    add(resource, close) {
      closers.push(() => close(resource));
      return resource;
    },
    async close() {
      for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
    },
  };
  try {
    return await open(resources);
  } catch (error) {
    await resources.close();
    throw error;
  }
}
