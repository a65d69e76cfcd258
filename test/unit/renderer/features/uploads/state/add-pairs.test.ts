// The choices about files with an ambiguous recording: the listed files, the files that one choice decides, and the sent choices.
import { expect, it } from 'vitest';
import {
  bulkChoices,
  chosenPairs,
  earlierCount,
  openFiles,
  type PairChoice,
  sameChoices,
  type UnclearFile,
  unclearFiles,
  withPairs,
} from '../../../../../../renderer/features/uploads/state/add-pairs.ts';
import type { ListedFile } from '../../../../../../shared/contract/upload-files.ts';

const unclear = (fileName: string, change: Partial<UnclearFile> = {}): UnclearFile => ({
  path: `/in/${fileName}`,
  fileName,
  message: '',
  kind: 'captions',
  doubt: 'several',
  candidates: [],
  ...change,
});
const candidates = (...names: string[]) => names.map((fileName) => ({ path: `/in/${fileName}`, fileName }));
const listed = ({ path, fileName, kind, doubt, candidates: found }: UnclearFile): ListedFile => ({
  path,
  fileName,
  folderName: 'in',
  sizeBytes: 1,
  date: null,
  problem: null,
  isLikelyDuplicate: false,
  sidecars: [],
  details: null,
  unclear: doubt === 'earlier' ? null : { kind, doubt, candidates: found },
});
const recording = (name: string): PairChoice => ({ kind: 'recording', path: `/in/${name}` });

it('a decided file keeps its position in the list, and is undecided again when its choice is no longer possible', () => {
  const [a, b, c] = ['a.vtt', 'b.vtt', 'c.png'].map((name) => unclear(name, { candidates: candidates('x.mp4') }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three files');
  const choices = new Map([[a.path, recording('x.mp4')]]);
  expect(unclearFiles([a, b], [listed(b), listed(c)], choices)).toEqual({ unclear: [a, b, c], choices });
  // Undecided files that no longer exist are not listed.
  expect(unclearFiles([a, b, c], [], choices).unclear).toEqual([a]);
  const taken = { ...c, doubt: 'taken' as const };
  const both = new Map([...choices, [c.path, recording('x.mp4')]]);
  expect(unclearFiles([a, b, c], [listed(b), listed(taken)], both)).toEqual({ unclear: [a, b, taken], choices });
});

it('a decision applies to other files only when they have the same kind and doubt and a matching recording', () => {
  const files = [
    unclear('p.en.vtt', { candidates: candidates('p.mp4', 'p.wav') }),
    unclear('q.en.vtt', { candidates: candidates('q.mp4', 'q.wav') }),
    unclear('r.en.vtt', { candidates: candidates('r.mkv', 'r.wav') }),
    unclear('s.vtt', { candidates: candidates('s.mp4', 's.MP4') }),
    unclear('t.vtt', { doubt: 'part', candidates: candidates('t1.mp4', 't2.mp4') }),
    unclear('u.vtt', { doubt: 'part', candidates: candidates('u1.mov') }),
    unclear('p.png', { kind: 'thumbnail', candidates: candidates('p.mp4') }),
  ];
  const same = (name: string, choice: PairChoice) =>
    Object.fromEntries(sameChoices(files, new Map([[`/in/${name}`, choice]]), `/in/${name}`));
  expect(same('p.en.vtt', recording('p.mp4'))).toEqual({ '/in/q.en.vtt': recording('q.mp4') });
  expect(same('p.en.vtt', recording('p.wav'))).toEqual({
    '/in/q.en.vtt': recording('q.wav'),
    '/in/r.en.vtt': recording('r.wav'),
  });
  expect(same('t.vtt', recording('t1.mp4'))).toEqual({ '/in/u.vtt': recording('u1.mov') });
  expect(same('t.vtt', recording('t2.mp4'))).toEqual({});
  expect(Object.keys(same('p.en.vtt', { kind: 'own' }))).toEqual(['/in/q.en.vtt', '/in/r.en.vtt', '/in/s.vtt']);
  expect(sameChoices(files, new Map(), '/in/p.en.vtt').size).toBe(0);
});

it('“offered” chooses the first recording of each file and leaves files without one undecided; “own” decides all', () => {
  const files = [
    unclear('a.vtt', { candidates: candidates('a.mp4', 'a.wav') }),
    unclear('b.json', { kind: 'details', doubt: 'unreadable' }),
  ];
  expect(Object.fromEntries(bulkChoices(files, 'offered'))).toEqual({ '/in/a.vtt': recording('a.mp4') });
  const all = { '/in/a.vtt': { kind: 'own' }, '/in/b.json': { kind: 'own' } };
  expect(Object.fromEntries(bulkChoices(files, 'own'))).toEqual(all);
  expect(openFiles(files, bulkChoices(files, 'offered')).map(({ fileName }) => fileName)).toEqual(['b.json']);
});

it('a choice is sent with the other values of its file, and also for a file that is not listed', () => {
  const choices = new Map<string, PairChoice>([
    ['/in/own.vtt', { kind: 'own' }],
    ['/in/left.vtt', { kind: 'left-out' }],
    ['/in/p.vtt', recording('p.mp4')],
  ]);
  expect(chosenPairs(choices)).toEqual([
    { path: '/in/own.vtt', belongsTo: null },
    { path: '/in/left.vtt', isExcluded: true },
    { path: '/in/p.vtt', belongsTo: '/in/p.mp4' },
  ]);
  const files = [{ path: '/in/a.mp4' }, { path: '/in/own.vtt', fields: { title: 'Own' } }];
  expect(withPairs(files, choices)).toEqual([
    { path: '/in/a.mp4' },
    { path: '/in/own.vtt', fields: { title: 'Own' }, belongsTo: null },
    { path: '/in/left.vtt', isExcluded: true },
    { path: '/in/p.vtt', belongsTo: '/in/p.mp4' },
  ]);
  expect(withPairs([{ path: '/in/own.vtt', isExcluded: true }], choices)[0]).toMatchObject({ isExcluded: true });
});

it('a file is added to an earlier upload of its recording until the user chooses otherwise', () => {
  const upload = { id: 'u1', fileName: 'talk.mp4', title: 'Talk', collectionName: 'Optics', uploadedAt: 5 };
  const late: ListedFile = {
    ...listed(unclear('talk.vtt', { doubt: 'earlier' })),
    late: { kind: 'captions', upload },
  };
  const first = unclearFiles([], [late], new Map());
  expect(first.unclear).toMatchObject([{ path: '/in/talk.vtt', doubt: 'earlier', candidates: [{ upload }] }]);
  // The default choice is not sent: the engine finds the upload itself. A choice of the user is sent.
  expect(chosenPairs(first.choices)).toEqual([]);
  const chosen = bulkChoices(first.unclear, 'offered');
  expect(chosenPairs(chosen)).toEqual([{ path: '/in/talk.vtt', addsTo: 'u1' }]);
  expect(earlierCount(first.unclear, first.choices)).toBe(1);
  // A later count keeps the choices; when they are equal, it returns the same object.
  expect(unclearFiles(first.unclear, [late], first.choices)).toEqual(first);
  expect(unclearFiles(first.unclear, [late], first.choices).choices).toBe(first.choices);
  const own = new Map<string, PairChoice>([['/in/talk.vtt', { kind: 'own' }]]);
  const { late: _, ...alone } = late;
  expect(unclearFiles(first.unclear, [alone], own)).toEqual({ unclear: first.unclear, choices: own });
  expect(earlierCount(first.unclear, own)).toBe(0);
});
