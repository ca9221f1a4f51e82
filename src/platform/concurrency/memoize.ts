/** Makes a thing when it is first asked for, and answers the same from then on: a promise too, whatever becomes of it. */
export function lazy<Made extends object | string>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
