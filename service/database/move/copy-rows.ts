import { indexMediaItems } from '../index-items.ts';
import type { Store } from '../store.ts';
import { type Mark, writeMark } from './mark.ts';
import { BATCH, isOfLibrary, type Key, lastKey, list, quoted, type Row, readBatch } from './rows.ts';
import type { Table } from './tables.ts';

/** `copy`: the rows, without references within the table; `link`: these; `index`: the full-text index of the items. */
export interface Step {
  kind: 'copy' | 'link' | 'index';
  table: Table;
}

/** Rows in one statement: a statement of SQLite has at most 32,766 parameters. */
const AT_ONCE = 100;
/** Triggers of the target have filled it with what they counted: the rows of the source replace that. */
const COUNTED = 'usage';

/** Returns what is to be done, in order. */
export function stepsOf(tables: readonly Table[]): Step[] {
  const of = (kind: Step['kind'], which: (table: Table) => boolean) =>
    tables.filter(which).map((table) => ({ kind, table }));
  return [
    ...of('copy', ({ name }) => name !== COUNTED),
    ...of('link', ({ columns }) => columns.some(({ isReference }) => isReference)),
    ...of('index', ({ name }) => name === 'media'),
    ...of('copy', ({ name }) => name === COUNTED),
  ];
}

/**
 * Does the steps that the mark of the target has not behind it, in batches: each one is durable together with the mark behind it. Returns
 * the number of rows that were copied. `onStep`: called at the end of each step.
 */
export async function copyRows(
  source: Store,
  target: Store,
  steps: readonly Step[],
  mark: Extract<Mark, { state: 'copying' }>,
  onStep: (step: Step) => void,
): Promise<number> {
  let copied = 0;
  let after: Key | undefined = mark.after;
  for (const [index, step] of steps.entries()) {
    if (index < mark.step) continue;
    for (let isMore = true; isMore; ) {
      const rows = await readBatch(step.kind === 'index' ? target : source, step.table, after, conditionOf(step));
      isMore = rows.length === BATCH;
      const next = isMore ? { step: index, after: lastKey(step.table, rows) } : { step: index + 1, after: undefined };
      const isFirst = after === undefined;
      await target.transaction(async () => {
        if (isFirst && step.table.name === COUNTED) await target.run(`DELETE FROM ${quoted(COUNTED)}`);
        await write(target, step, rows);
        await writeMark(target, { ...mark, ...next });
      });
      if (step.kind === 'copy') copied += rows.filter((row) => isOfLibrary(step.table, row)).length;
      after = next.after;
    }
    onStep(step);
  }
  return copied;
}

function conditionOf({ kind, table }: Step): string {
  return kind === 'link'
    ? references(table)
        .map((name) => `${quoted(name)} IS NOT NULL`)
        .join(' OR ')
    : '';
}

const references = ({ columns }: Table) => columns.filter(({ isReference }) => isReference).map(({ name }) => name);

async function write(target: Store, { kind, table }: Step, rows: readonly Row[]): Promise<void> {
  if (kind === 'index')
    return indexMediaItems(
      target,
      rows.map(({ id }) => Number(id)),
    );
  if (kind === 'link') return link(target, table, rows);
  await insert(
    target,
    table,
    rows.filter((row) => isOfLibrary(table, row)),
  );
}

async function insert(target: Store, { name: table, columns }: Table, rows: readonly Row[]): Promise<void> {
  const places = `(${columns.map(() => '?').join(', ')})`;
  const names = list(columns.map(({ name }) => name));
  for (let begin = 0; begin < rows.length; begin += AT_ONCE) {
    const part = rows.slice(begin, begin + AT_ONCE);
    await target.run(
      `INSERT INTO ${quoted(table)} (${names}) VALUES ${part.map(() => places).join(', ')}`,
      ...part.flatMap((row) => columns.map(({ name, isReference }) => (isReference ? null : (row[name] ?? null)))),
    );
  }
}

async function link(target: Store, table: Table, rows: readonly Row[]): Promise<void> {
  const assigned = (names: readonly string[], between: string) =>
    names.map((name) => `${quoted(name)} = ?`).join(between);
  const names = references(table);
  const sql = `UPDATE ${quoted(table.name)} SET ${assigned(names, ', ')} WHERE ${assigned(table.key, ' AND ')}`;
  for (const row of rows) await target.run(sql, ...[...names, ...table.key].map((name) => row[name] ?? null));
}
