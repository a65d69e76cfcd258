import type { ListGroup, MediaQuery } from '../../../shared/contract/library.ts';
import {
  type GroupedSort,
  isGroupedSort,
  LENGTH_STEPS,
  MOST_GROUPS,
  SIZE_STEPS,
} from '../../../shared/model/list-groups.ts';
import type { Database } from '../store/database.ts';
import { NO_SIZE } from './mirror-rows.ts';
import type { SqlCondition } from './sql-conditions.ts';

/** Expressions on `view_media v` and its collection `o`; aggregates are over the items of a group. */
interface GroupSql {
  /** Equal for the items of a group, which follow each other in the order of the list. */
  key: string;
  /** The value that names the group; see `listGroupSchema`. */
  value: string;
  /** The order of the groups, each followed by the direction. */
  order: readonly string[];
}

const monthOf = (column: string) => `strftime('%Y-%m', v.${column}, 'unixepoch', 'localtime')`;

/** Returns an expression for the greatest step that a column reaches; NULL below the first one. */
function stepOf(column: string, steps: readonly number[]): string {
  const cases = steps.toReversed().map((step) => `WHEN ${column} >= ${step} THEN ${step}`);
  return `CASE ${cases.join(' ')} END`;
}

function byColumn(column: string, key = column): GroupSql {
  return { key, value: `min(${key})`, order: [`min(${column})`] };
}

const initial = `substr(v.title_key, 1, 1)`;

const GROUPS: Readonly<Record<GroupedSort, GroupSql>> = {
  collection: { key: 'o.id', value: 'min(o.display_name)', order: ['min(o.display_name) COLLATE NOCASE', 'o.id'] },
  type: byColumn('v.type'),
  status: byColumn('v.status'),
  byline: { ...byColumn('v.byline_key'), value: 'min(v.byline)' },
  // The key has one tag in each line: a tag comes before all tags that begin with it.
  tags: {
    key: `substr(v.tags_key, 1, instr(v.tags_key || char(10), char(10)) - 1)`,
    value: `min(v.tags ->> 0)`,
    order: ['min(v.tags_key)'],
  },
  title: byColumn('v.title_key', `CASE WHEN ${initial} BETWEEN '0' AND '9' THEN '0' ELSE ${initial} END`),
  created_on: byColumn('v.created_on', monthOf('created_on')),
  modified_on: byColumn('v.modified_on', monthOf('modified_on')),
  publish_on: byColumn('v.publish_on', monthOf('publish_on')),
  duration: { ...byColumn('v.duration', stepOf('v.duration', LENGTH_STEPS)), order: ['coalesce(min(v.duration), 0)'] },
  // Unknown sizes come before those that the library does not report.
  size: byColumn(
    'v.size_bytes',
    `CASE v.size_bytes WHEN ${NO_SIZE} THEN ${NO_SIZE} ELSE ${stepOf('v.size_bytes', SIZE_STEPS)} END`,
  ),
  captions: byColumn('v.has_captions'),
};

/**
 * Returns the groups of a list in its order: consecutive items with the same value, such as the month in which they were added,
 * in the time zone of this computer. null: the order has no groups. Reads all items of the list.
 */
export function groupsOf(
  database: Database,
  { sort, order }: Pick<MediaQuery, 'sort' | 'order'>,
  { sql, parameters }: SqlCondition,
): ListGroup[] | null {
  if (!isGroupedSort(sort)) return null;
  if (isDateSort(sort)) {
    const byMonth = monthsOf(database, sort, order, { sql, parameters });
    if (byMonth !== null) return byMonth;
  }
  const group = GROUPS[sort];
  const direction = order === 'desc' ? 'DESC' : 'ASC';
  const places = group.order.map((each) => `${each} ${direction}`).join(', ');
  // Items of an unknown collection come last in both directions.
  const [collections, unknownLast] =
    sort === 'collection' ? ['LEFT JOIN collections o ON o.id = v.collection_id', 'o.id IS NULL, '] : ['', ''];
  const rows = database
    .prepare(
      `SELECT ${group.value} AS value, count(*) AS count FROM view_media v ${collections}
         WHERE ${sql} GROUP BY ${group.key} ORDER BY ${unknownLast}${places}`,
    )
    .all(parameters);
  const groups = rows.map(({ value, count }) => ({
    value: value === null || value === undefined ? null : String(value),
    count: Number(count),
  }));
  if (groups.length <= MOST_GROUPS) return groups;
  const rest = groups.slice(MOST_GROUPS - 1).reduce((sum, { count }) => sum + count, 0);
  return [...groups.slice(0, MOST_GROUPS - 1), { value: null, count: rest, isRest: true }];
}

const DATE_INDEXES = {
  created_on: 'view_by_created',
  modified_on: 'view_by_modified',
  publish_on: 'view_by_publish',
} as const;
type DateSort = keyof typeof DATE_INDEXES;

function isDateSort(sort: GroupedSort): sort is DateSort {
  return Object.hasOwn(DATE_INDEXES, sort);
}

/**
 * Returns the groups of a list by month. Each month is counted in its part of the index, because it takes ten times longer to compute
 * the month of each item. null: the list spans too many months.
 */
function monthsOf(
  database: Database,
  column: DateSort,
  order: MediaQuery['order'],
  { sql, parameters }: Pick<SqlCondition, 'sql' | 'parameters'>,
): ListGroup[] | null {
  const ends = database
    .prepare(`SELECT min(v.${column}) AS first, max(v.${column}) AS last FROM view_media v WHERE ${sql}`)
    .get(parameters);
  const months = ends?.first == null ? [] : monthsBetween(Number(ends.first), Number(ends.last));
  if (months === null) return null;
  const from = `FROM view_media v INDEXED BY ${DATE_INDEXES[column]} WHERE ${sql} AND v.${column}`;
  const counted = database
    .prepare(
      `SELECT m.value ->> 0 AS value,
           (SELECT count(*) ${from} >= m.value ->> 1 AND v.${column} < m.value ->> 2) AS count
         FROM json_each($months) m ORDER BY m.key`,
    )
    .all({ ...parameters, months: JSON.stringify(months) })
    .flatMap(({ value, count }) => (Number(count) === 0 ? [] : [{ value: String(value), count: Number(count) }]));
  const undated = Number(database.prepare(`SELECT count(*) AS count ${from} IS NULL`).get(parameters)?.count ?? 0);
  const groups = [...(undated === 0 ? [] : [{ value: null, count: undated }]), ...counted];
  return order === 'desc' ? groups.toReversed() : groups;
}

/** Returns the months with their first second and that of the next one, in the time zone of this computer; null: too many. */
function monthsBetween(first: number, last: number): [string, number, number][] | null {
  const start = new Date(first * 1000);
  const months: [string, number, number][] = [];
  for (let index = 0; ; index += 1) {
    const at = (month: number) => new Date(start.getFullYear(), start.getMonth() + month, 1);
    const [from, to] = [at(index), at(index + 1)].map((date) => Math.ceil(date.getTime() / 1000));
    if (from === undefined || to === undefined || from > last) return months;
    if (months.length === MOST_GROUPS - 1) return null;
    const month = at(index);
    months.push([`${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`, from, to]);
  }
}
