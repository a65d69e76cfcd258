/**
 * Returns a stored JSON value with the changes from `before`, the part of `raw` that this version can read, to `after`. Unknown
 * parts, such as members that a newer version added, are kept as stored. Entries of lists are matched by their `id`; a list whose
 * entries have none is replaced when it changed, and so is an object whose `kind` changed.
 */
export function withChanges(raw: unknown, before: unknown, after: unknown): unknown {
  if (isSameJson(before, after)) return raw;
  if (areEntries(raw) && areEntries(before) && areEntries(after)) return changedEntries(raw, before, after);
  if (!isObject(raw) || !isObject(before) || !isObject(after) || before.kind !== after.kind) return after;
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const result = Object.fromEntries(Object.entries(raw).filter(([name]) => !removed.includes(name)));
  for (const [name, value] of Object.entries(after)) {
    if (Object.hasOwn(result, name)) result[name] = withChanges(result[name], before[name], value);
    // A value that the stored JSON lacks was read as its default: it is stored only if it changed.
    else if (!isSameJson(before[name], value)) result[name] = value;
  }
  return result;
}

/** Returns a list with the entries of the stored list that this version doesn't know, each at its position from the start. */
export function withUnknownEntries(
  raw: unknown,
  isKnown: (entry: unknown) => boolean,
  known: readonly unknown[],
): unknown[] {
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const result = [...known];
  for (const [place, entry] of entries.entries()) if (!isKnown(entry)) result.splice(place, 0, entry);
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

/**
 * Returns whether two JSON values are equal. The order of members does not count; a member that is undefined counts as missing.
 */
function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSameJson(each, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSameJson(one[name], other[name]));
}
