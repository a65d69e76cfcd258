import { isDeepStrictEqual } from 'node:util';

/**
 * Returns a stored JSON value with the changes from `before`, which is what this version understood of `raw`, to `after`. What
 * this version doesn't know, such as members that a newer version added, stays as it was stored. Entries of lists are matched
 * by their `id`; a list whose entries have none is replaced when it changed, and so is an object whose `kind` changed.
 */
export function withChanges(raw: unknown, before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return raw;
  if (areEntries(raw) && areEntries(before) && areEntries(after)) return changedEntries(raw, before, after);
  if (!isObject(raw) || !isObject(before) || !isObject(after) || before.kind !== after.kind) return after;
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const result = Object.fromEntries(Object.entries(raw).filter(([name]) => !removed.includes(name)));
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(result, name)) result[name] = withChanges(result[name], before[name], value);
    // A value that is missing in the stored text has its default.
    else if (!isDeepStrictEqual(before[name], value)) result[name] = value;
  }
  return result;
}

function changedEntries(raw: readonly Entry[], before: readonly Entry[], after: readonly Entry[]): unknown[] {
  return after.map((entry) => {
    const isSame = ({ id }: Entry) => id === entry.id;
    const stored = raw.find(isSame);
    return stored === undefined ? entry : withChanges(stored, before.find(isSame), entry);
  });
}

type Entry = Record<string, unknown> & { id: string };

function areEntries(value: unknown): value is Entry[] {
  return Array.isArray(value) && value.every((each) => isObject(each) && typeof each.id === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
