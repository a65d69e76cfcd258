/** Runs `work` for each value, a few at a time. Rejects with the first failure, when the work that has begun has ended. */
export async function forEachOf<T>(
  values: Iterable<T>,
  atATime: number,
  work: (value: T) => Promise<void>,
): Promise<void> {
  const iterator = values[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  async function worker(): Promise<void> {
    for (let next = iterator.next(); !next.done && failure === undefined; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: atATime }, worker));
  if (failure !== undefined) throw failure.error;
}
