import type { Kind } from './watched-tables.ts';

type Value = string | number | null | readonly string[];
/** For each field that has changed: its value before and after. A list has what was removed and what was added. */
export type ChangedFields = Record<string, readonly [Value, Value] | null>;

/** One change of one row of the database. */
export interface Entry {
  kind: Kind;
  op: 'insert' | 'update' | 'delete';
  id: string;
  name: string | null;
  /** The user in whose name a request without an access token makes the change. */
  owner: number | null;
  fields: ChangedFields;
}

/** What one transaction did to one resource. */
export interface Summary {
  action: string;
  kind: Kind;
  id: string;
  name: string | null;
  before: Record<string, Value> | null;
  after: Record<string, Value> | null;
  /** How many other changes came with it, by action; on the first of several resources only. */
  also: Record<string, number> | null;
}

/** The kinds by importance: the first one that a transaction changes is what it is about. */
const KINDS: readonly Kind[] = [
  'user',
  'group',
  'role',
  'collection',
  'media',
  'file',
  'membership',
  'tag',
  'thumbnail',
  'settings',
  'client',
  'account-link',
  'session',
  'token',
  'authorization',
  'thumbnail-upload',
  'encoding',
];
const OPS = ['insert', 'update', 'delete'] as const;
const VERBS = { insert: 'create', update: 'update', delete: 'delete' } as const;

/**
 * Summarizes the changes of a transaction: one summary for each resource of the most important kind that it changed in the same way, and
 * the number of all other changes. Changes that cancel each other are none. `first`: a kind that is the most important one.
 */
export function summarize(entries: readonly Entry[], first?: Kind): Summary[] {
  const merged = replacedMemberships(mergeAll(entries).map(withPlainSettings)).flatMap(netOf);
  const rank = ({ kind, op }: Entry) => (kind === first ? -1 : KINDS.indexOf(kind)) * OPS.length + OPS.indexOf(op);
  const least = Math.min(...merged.map(rank));
  const main = merged.filter((entry) => rank(entry) === least);
  const others = merged.filter((entry) => rank(entry) !== least);
  const also = others.length === 0 ? null : countsOf(others);
  return main.map((entry, index) => ({ ...toSummary(entry), also: index === 0 ? also : null }));
}

function mergeAll(entries: readonly Entry[]): Entry[] {
  const known = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.kind} ${entry.id}`;
    const before = known.get(key);
    if (before?.op === 'insert' && entry.op === 'delete') known.delete(key);
    else known.set(key, before === undefined ? entry : merge(before, entry));
  }
  return [...known.values()];
}

function merge(first: Entry, second: Entry): Entry {
  const fields: ChangedFields = { ...first.fields };
  for (const [name, values] of Object.entries(second.fields)) {
    const earlier = fields[name];
    if (values !== null) fields[name] = earlier == null ? values : mergeValues(earlier, values);
  }
  return {
    ...second,
    op: opOf(first, second),
    name: second.name ?? first.name,
    owner: second.owner ?? first.owner,
    fields,
  };
}

function opOf(first: Entry, second: Entry): Entry['op'] {
  if (first.op === 'insert') return 'insert';
  // Of sessions and links, the earlier one has ended, and another one begins.
  const isOther = second.kind === 'session' || second.kind === 'account-link';
  if (first.op === 'delete' && second.op === 'insert') return isOther ? 'insert' : 'update';
  return second.op;
}

function mergeValues(first: readonly [Value, Value], second: readonly [Value, Value]): readonly [Value, Value] {
  const [removed, added] = [0, 1].map((side) => [first[side], second[side]]);
  if (![...(removed ?? []), ...(added ?? [])].every(isList)) return [first[0], second[1]];
  const [before, after] = [removed?.flat() as string[], added?.flat() as string[]];
  return [before.filter((each) => !after.includes(each)), after.filter((each) => !before.includes(each))];
}

const isList = (value: unknown): value is readonly string[] => Array.isArray(value);

/** Giving somebody another role replaces a membership: one change, not two. */
function replacedMemberships(entries: readonly Entry[]): Entry[] {
  const keyOf = ({ fields }: Entry, side: 0 | 1) =>
    JSON.stringify(['user_id', 'group_id', 'collection_id'].map((name) => fields[name]?.[side] ?? null));
  const gone = entries.filter(({ kind, op }) => kind === 'membership' && op === 'delete');
  const replaced = new Set<Entry>();
  const kept = entries.map((entry): Entry => {
    if (entry.kind !== 'membership' || entry.op !== 'insert') return entry;
    const before = gone.find((each) => keyOf(each, 0) === keyOf(entry, 1));
    if (before === undefined) return entry;
    replaced.add(before);
    return { ...merge(before, entry), op: 'update' };
  });
  // A role that is given again is recorded too: the membership has another id.
  return kept.filter((entry) => !replaced.has(entry));
}

/** Leaves out the fields that are as before, and an update without any other. */
function netOf(entry: Entry): Entry[] {
  const fields = Object.fromEntries(
    Object.entries(entry.fields).filter(([, values]) => values !== null && !isSame(values)),
  );
  const isNothing = entry.op === 'update' && entry.kind !== 'membership' && Object.keys(fields).length === 0;
  return isNothing ? [] : [{ ...entry, fields }];
}

function isSame([before, after]: readonly [Value, Value]): boolean {
  // Of a long text only the beginning is here: what differs may be behind it.
  if (typeof before === 'string' && before.length > 1000) return false;
  return isList(before) || isList(after) ? before?.toString() === after?.toString() : before === after;
}

function countsOf(entries: readonly Entry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of entries) {
    const action = actionOf(entry);
    counts[action] = (counts[action] ?? 0) + 1;
  }
  return counts;
}

const actionOf = ({ kind, op }: Entry) => `${kind}.${VERBS[op]}`;

function toSummary(entry: Entry): Summary {
  const { kind, id, name, op } = entry;
  return {
    action: actionOf(entry),
    kind,
    id,
    name,
    before: op === 'insert' ? null : sideOf(entry, 0),
    after: op === 'delete' ? null : sideOf(entry, 1),
    also: null,
  };
}

/** Longer JSON is recorded in part, and then by the names of the fields only. */
const MOST_CHARACTERS = 16 * 1024;

function sideOf({ fields, op }: Entry, side: 0 | 1): Record<string, Value> | null {
  const entries = Object.entries(fields).flatMap(([name, values]): [string, Value][] => {
    const value = values?.[side] ?? null;
    // A creation and a deletion have the fields with a value; an update has all that differ.
    if (op !== 'update' && (value === null || value.toString() === '')) return [];
    return [[name, name.endsWith('_url') && typeof value === 'string' ? withoutQuery(value) : value]];
  });
  if (entries.length === 0) return null;
  for (const shorten of [(value: Value) => value, shortened, () => '…']) {
    const shown = Object.fromEntries(entries.map(([name, value]) => [name, shorten(value)]));
    if (JSON.stringify(shown).length <= MOST_CHARACTERS) return shown;
  }
  return { '…': entries.length };
}

function shortened(value: Value): Value {
  if (isList(value)) {
    const shown = value.slice(0, 20).map((each) => each.slice(0, 100));
    return value.length > 20 ? [...shown, `… ${value.length - 20}`] : shown;
  }
  return typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}…` : value;
}

/** The query of an address may contain a secret. */
function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

/** Compares the settings one by one. The value of a secret is left out, and so is what may be secret in an address. */
function withPlainSettings(entry: Entry): Entry {
  if (entry.kind !== 'settings') return entry;
  const [before, after] = (entry.fields.settings ?? [null, null]).map((text) =>
    flat(typeof text === 'string' ? (JSON.parse(text) as object) : {}),
  );
  const fields: ChangedFields = {};
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
    if (was === is) continue;
    if (SECRET.test(name)) fields[name] = [was && 'set', is && (was ? 'changed' : 'set')];
    else {
      const [shownWas, shownIs] = [shownSetting(name, was), shownSetting(name, is)];
      fields[name] = [shownWas, shownIs === shownWas ? `${shownIs} (changed)` : shownIs];
    }
  }
  return { ...entry, fields };
}

const SECRET = /secret|password|credential|_key|token(?!_s$)/i;

/** Leaves the query out of an address, and of the webhook's also the path, which is a secret for many receivers. A list stays. */
function shownSetting(name: string, value: string | number | null): string | number | null {
  if (typeof value !== 'string' || value.startsWith('[') || !value.includes('://')) return value;
  if (name !== 'webhook_url') return withoutQuery(value);
  return URL.canParse(value) ? new URL(value).origin : '…';
}

/** The settings with their full names, such as `page_size.max`; a list is its JSON. */
function flat(settings: object, prefix = ''): Record<string, string | number | null> {
  return Object.assign(
    {},
    ...Object.entries(settings).map(([key, value]) => {
      const name = prefix + key;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return flat(value, `${name}.`);
      if (typeof value === 'string') return { [name]: value };
      return { [name]: typeof value === 'number' || value === null ? value : JSON.stringify(value).slice(0, 1000) };
    }),
  );
}
