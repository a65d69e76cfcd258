/** Maps a list as `map` does, one element after the other: what one does is complete before the next one begins. */
export function inOrder<Item, Result>(items: Iterable<Item>, work: (item: Item) => Result): Result[] {
  const results: Result[] = [];
  for (const item of items) results.push(work(item));
  return results;
}
