import { readFile } from 'node:fs/promises';
import { readDelimited } from '../../../electron/engine/manifest/table/read-delimited.ts';
import { CSV_DEFAULTS, csvOf } from '../../../shared/model/table/write-csv.ts';

/** Returns an exported CSV file with another title, the byline `Ada`, and the tag `reviewed` in every row. */
export async function editedRows(path: string): Promise<string> {
  const bytes = new Uint8Array(await readFile(path));
  const { rows } = await readDelimited([bytes], { encoding: null, separator: ',', isKnown: () => true });
  const [head = [], ...items] = rows.map(({ cells }) => cells);
  const edits: Record<string, (cell: string) => string> = {
    title: (cell) => `2031: ${cell}`,
    byline: () => 'Ada',
    tags: (cell) => [...new Set([...cell.split('|').filter(Boolean), 'reviewed'])].join('|'),
  };
  const edited = items.map((cells) => cells.map((cell, at) => edits[head[at] ?? '']?.(cell) ?? cell));
  return [...csvOf([head, ...edited], { ...CSV_DEFAULTS, protects: false })].join('');
}
