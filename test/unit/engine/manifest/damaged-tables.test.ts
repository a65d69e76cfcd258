import { describe, expect, it } from 'vitest';
import { readDelimited } from '../../../../electron/engine/manifest/table/read-delimited.ts';
import { isKnownHeader } from '../../../../shared/model/manifest/fields.ts';
import { TableError } from '../../../../shared/model/table/table-error.ts';
import { type Chosen, DAMAGED, READABLE, utf8 } from '../../../helpers/data/table-corpus.ts';

function* pieces(bytes: Uint8Array, size = 7): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function read(bytes: Uint8Array, { encoding, separator }: Chosen = {}, size = 7) {
  return readDelimited(pieces(bytes, size), {
    encoding: encoding ?? null,
    separator: separator ?? null,
    isKnown: isKnownHeader,
  });
}

async function problemOf(file: Uint8Array, chosen: Chosen = {}, size?: number): Promise<TableError> {
  const result = await read(file, chosen, size).catch((error: unknown) => error);
  expect(result).toBeInstanceOf(TableError);
  return result as TableError;
}

describe('a damaged or unusual CSV file', () => {
  it('is covered by at least 100 samples', () => expect(DAMAGED.length).toBeGreaterThanOrEqual(100));

  it.each(DAMAGED.map(([name, file, problem, row, column]) => ({ name, file, problem, row, column })))(
    'is rejected with the kind of problem, its row and its column: $name',
    async ({ file, problem, row, column }) => {
      for (const size of file.length > 100_000 ? [65_536] : [1, 7, 65_536]) {
        const error = await problemOf(file, {}, size);
        expect(error.problem).toBe(problem);
        if (row === null) expect(error.place).toBeNull();
        else if (row !== undefined)
          expect(error.place).toMatchObject({ row, ...(column === undefined ? {} : { column }) });
      }
    },
  );

  it.each(READABLE)('is read: %s', async (_, file, chosen, rows, how) => {
    for (const size of file.length > 100_000 ? [65_536] : [1, 7, 65_536]) {
      const { encoding, separator, rows: found } = await read(file, chosen, size);
      expect(found.map(({ cells }) => cells)).toEqual(rows);
      expect(`${encoding.encoding} ${encoding.evidence} ${separator.separator} ${separator.evidence}`).toBe(how);
    }
  });

  it.each([
    ['without any separator', 'x', 'cell-too-long'],
    ['of separators', ',', 'too-many-columns'],
    ['in quotes', '"x', 'cell-too-long'],
    ['of doubled quotes', '""', 'cell-too-long'],
  ])('is rejected after at most 2 MiB of a line of 1 GB %s', async (_, unit, problem) => {
    const piece = utf8(unit === '"x' ? 'x'.repeat(65_536) : unit.repeat(65_536 / unit.length));
    let sent = 0;
    async function* line(): AsyncGenerator<Uint8Array> {
      yield utf8(unit.startsWith('"') ? 'id,title\nm:1,"' : 'id,title\nm:1,');
      while (sent < 2 ** 30) {
        sent += piece.length;
        yield piece;
      }
    }
    const options = { encoding: null, separator: null, isKnown: isKnownHeader };
    const error = await readDelimited(line(), options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problem, place: { row: 2 } });
    // Everything that was read can still be in memory, so this limits the memory.
    expect(sent).toBeLessThan(2 * 1024 * 1024);
  });
});
