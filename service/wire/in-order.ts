/** Maps a list as `map` does, one element after the other: what one does is complete before the next one begins. */
export async function inOrder<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Filters a list as `filter` does, one element after the other. */
export async function filterInOrder<Item>(
  items: Iterable<Item>,
  isKept: (item: Item) => Promise<boolean>,
): Promise<Item[]> {
  const kept: Item[] = [];
  for (const item of items) if (await isKept(item)) kept.push(item);
  return kept;
}
