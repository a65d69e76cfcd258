// Rows that decide about a file are found by keys: the decision must equal the decision that is based on the whole folder.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../electron/engine/store/database.ts';
import { ruleFactsOf } from '../../../../../electron/engine/watch/detection/reconcile.ts';
import { CompanionRows } from '../../../../../electron/engine/watch/rows/companion-rows.ts';
import { WatchedFileStore } from '../../../../../electron/engine/watch/rows/file-store.ts';
import type { NewWatchedFile } from '../../../../../electron/engine/watch/rows/watched-file.ts';
import { nameOf, type WatchedFileFacts } from '../../../../../shared/model/watch/watched-file.ts';
import { withRecordings } from '../../../../../shared/model/watch/with-recordings.ts';
import { emptyDatabase } from '../../../../helpers/data/empty-database.ts';
import { newWatchedFile } from '../../../../helpers/data/watched-folders.ts';
import { MIXED_FOLDER } from '../../../model/pairing/mixed-folder.ts';

let database: Database;
let rows: WatchedFileStore;
let companionRows: CompanionRows;

beforeEach(async () => {
  database = await emptyDatabase();
  rows = new WatchedFileStore(database);
  companionRows = new CompanionRows(database);
});
afterEach(() => database.close());

const fileAt = (path: string, changes: Partial<NewWatchedFile> = {}) => newWatchedFile({ path, ...changes });

function noteAll(paths: readonly string[]): void {
  database.exec('DELETE FROM watched_files');
  rows.transaction(() => {
    for (const path of paths) rows.insert(fileAt(path));
  });
}

/** Returns the recording that a file belongs to, its candidates after `? `, or an empty text. */
const placeOf = ({ recording, candidates = [] }: WatchedFileFacts): string =>
  recording?.path ?? (candidates.length === 0 ? '' : `? ${candidates.map(({ path }) => path).join(' | ')}`);

/** Returns the recording of each file, once by the rows that its keys find, and once by the names of all files. */
function bothPlaces(paths: readonly string[]) {
  noteAll(paths);
  const all = withRecordings(paths.map((path) => ruleFactsOf(fileAt(path))));
  const byKeys = paths.map((path) => {
    const group = companionRows.of('f1', path, 0).filter((row) => row.path !== path);
    const [own] = withRecordings([fileAt(path), ...group].map((each) => ruleFactsOf(each)));
    return [path, own === undefined ? '' : placeOf(own)];
  });
  return { byKeys, byNames: all.map((facts) => [facts.path, placeOf(facts)]) };
}

describe('rows of recordings and their companions', () => {
  it('pair a mixed folder of more than 300 files without a mistake, and flag the doubtful files', () => {
    const { byKeys, byNames } = bothPlaces(MIXED_FOLDER.map(({ name }) => `day/${name}`));
    expect(byKeys).toEqual(byNames);
    const verdicts = byKeys.map(([, place = '']) => {
      if (place.startsWith('? ')) return 'flag';
      return place === '' ? 'own' : nameOf(place);
    });
    const different = MIXED_FOLDER.flatMap(({ name, belongsTo }, index) => {
      const got = verdicts[index];
      return got === belongsTo ? [] : [[name, belongsTo, got]];
    });
    expect(different).toEqual([]);
  });

  it('found by key give the same pairs as all rows of the folder, for any names', () => {
    const stem = fc.constantFrom(
      ...[
        'a',
        'A',
        'ab',
        'ab ',
        'a b',
        'a_b',
        'ab.en',
        'ab.cut',
        'ü',
        'u\u0308',
        'ab thumb',
        'talk',
        'talk 2',
        'talk.',
      ],
      ...['ΟΔΟΣ', 'οδος', 'talk.mp4', 'talk.mp4.wav', 'talk…', 'ﬁlm', 'film', 'talk.info', 'talk-poster', '.talk'],
    );
    const ending = fc.constantFrom(
      ...['mp4', 'wav', 'srt', 'en.vtt', 'sdh.de.srt', 'mp4.srt', 'wav.en.vtt', ' .en.vtt', 'jpg', 'png', 'mp4.jpg'],
      ...['json', 'info.json', 'txt', 'pdf', ' final.srt', 's.srt'],
    );
    const name = fc.tuple(stem, ending).map(([one, other]) => `${one}.${other}`);
    const folder = fc.constantFrom('', 'x/', 'ab/', 'talk/');
    const path = fc.tuple(folder, name).map(([one, other]) => `${one}${other}`);
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 25 }), (paths) => {
        const { byKeys, byNames } = bothPlaces(paths);
        expect(byKeys).toEqual(byNames);
      }),
      { numRuns: 400 },
    );
  });

  it('include the recording of a file among thousands with the same beginning', () => {
    const others = Array.from({ length: 3000 }, (_, index) => [`talk ${index}.mp4`, `talk.${index}.en.vtt`]).flat();
    noteAll([...others, 'talk.mp4', 'talk.de.vtt']);
    const found = (path: string) => companionRows.of('f1', path, 0).map((row) => row.path);
    expect(found('talk.de.vtt')).toContain('talk.mp4');
    expect(found('talk.mp4')).toContain('talk.de.vtt');
  });

  it('exclude files that left the folder, except those that were queued recently', () => {
    rows.insert(fileAt('a.mp4', { goneAt: 5 }));
    rows.insert(fileAt('b.mp4', { goneAt: 5, uploadId: 'u', handledAt: 100 }));
    const found = (path: string, since: number) => companionRows.of('f1', path, since).map((row) => row.path);
    expect(found('a.en.vtt', 0)).toEqual([]);
    expect(found('b.en.vtt', 100)).toEqual(['b.mp4']);
    expect(found('b.en.vtt', 101)).toEqual([]);
  });
});

describe('the keys of an earlier version', () => {
  it('are computed in rows that are marked as having none, and all others stay unchanged', () => {
    noteAll(Array.from({ length: 6000 }, (_, index) => `${index % 7}/Talk_${index}.mp4`));
    rows.insert(fileAt('talk.en.vtt'));
    const stored = () => database.prepare('SELECT path, pair_key FROM watched_files ORDER BY seq').all();
    const now = stored();
    database.exec(`UPDATE watched_files SET pair_key = '?' WHERE seq % 2 = 0`);
    companionRows.updateKeys();
    expect(stored()).toEqual(now);
  });
});
