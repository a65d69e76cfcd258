import type { FileChoice, ListedFile, UnclearPair } from '../../../../shared/contract/upload-files.ts';

/**
 * The recording that a file belongs to. `own`: the file becomes an item of its own. `upload`: the file is added to the item of
 * this earlier upload. `isFound`: the user chose nothing, and the engine searches for the upload again when the file is added; if
 * the result differs, the user is asked.
 */
export type PairChoice =
  | { kind: 'recording'; path: string }
  | { kind: 'upload'; id: string; isFound?: true }
  | { kind: 'own' }
  | { kind: 'left-out' };

/**
 * Captions, a thumbnail or details whose recording is ambiguous by name. The file stays listed after the user chose. `earlier`:
 * the recording is known, but was uploaded before; that is the choice until the user makes another one.
 */
export interface UnclearFile extends Omit<UnclearPair, 'doubt'> {
  doubt: UnclearPair['doubt'] | 'earlier';
  path: string;
  fileName: string;
  /** The problem, as the user reads it. */
  message: string;
}

export type PairChoices = ReadonlyMap<string, PairChoice>;

/**
 * Returns the unclear files of a count, and the possible choices. A decided file is no longer unclear to the engine, but stays in
 * this list. A file that is unclear despite its choice, such as a second thumbnail of a recording, needs a choice again.
 */
export function unclearFiles(
  before: readonly UnclearFile[],
  files: readonly ListedFile[],
  choices: PairChoices,
): { unclear: UnclearFile[]; choices: PairChoices } {
  const found = new Map(
    files.flatMap(({ path, fileName, unclear, problem }): [string, UnclearFile][] =>
      unclear === null ? [] : [[path, { path, fileName, message: problem?.message ?? '', ...unclear }]],
    ),
  );
  const late = files.flatMap((file) => lateFile(file) ?? []);
  const kept = before.flatMap((file) => found.get(file.path) ?? (choices.has(file.path) ? [file] : []));
  const known = new Set(kept.map(({ path }) => path));
  const unclear = [...kept, ...[...found.values(), ...late].filter(({ path }) => !known.has(path))];
  const isPossible = [...choices.keys()].every((path) => !found.has(path));
  const possible = isPossible ? choices : new Map([...choices].filter(([path]) => !found.has(path)));
  const given = late.flatMap(({ path, candidates }): [string, PairChoice][] => {
    const id = candidates[0]?.upload?.id;
    return possible.has(path) || id === undefined ? [] : [[path, { kind: 'upload', id, isFound: true }]];
  });
  return { unclear, choices: given.length === 0 ? possible : new Map([...possible, ...given]) };
}

/** Returns the entry of a file whose recording was uploaded earlier; null for any other file. */
function lateFile({ path, fileName, late }: ListedFile): UnclearFile | null {
  if (late === undefined) return null;
  const { kind, upload } = late;
  return {
    path,
    fileName,
    message: '',
    kind,
    doubt: 'earlier',
    candidates: [{ path, fileName: upload.fileName, upload }],
  };
}

/** Returns the files that need a choice of the user and have none. */
export function openFiles(unclear: readonly UnclearFile[], choices: PairChoices): UnclearFile[] {
  return unclear.filter(({ path }) => !choices.has(path));
}

/** The choices that can apply to many files. `offered`: each file belongs to its most probable recording. */
export const BULK_CHOICES = ['offered', 'own', 'left-out'] as const;
export type BulkChoice = (typeof BULK_CHOICES)[number];

/** Returns the same choice for several files. A file without an offered recording is omitted. */
export function bulkChoices(files: readonly UnclearFile[], choice: BulkChoice): Map<string, PairChoice> {
  return new Map(
    files.flatMap(({ path, candidates: [first] }): [string, PairChoice][] => {
      if (choice !== 'offered') return [[path, { kind: choice }]];
      return first === undefined ? [] : [[path, candidateChoice(first)]];
    }),
  );
}

/** Returns how many files are added to items of earlier uploads. */
export function earlierCount(unclear: readonly UnclearFile[], choices: PairChoices): number {
  return unclear.filter(({ path }) => choices.get(path)?.kind === 'upload').length;
}

/**
 * Returns the choices for the other files that the choice for `path` can decide: undecided files of the same kind with the same
 * doubt. If the choice is a recording, each of them gets a recording of its own: where names fit several recordings (`several`),
 * the only candidate with the same file extension, otherwise the candidate at the same index.
 */
export function sameChoices(
  unclear: readonly UnclearFile[],
  choices: PairChoices,
  path: string,
): Map<string, PairChoice> {
  const same = new Map<string, PairChoice>();
  const from = unclear.find((file) => file.path === path);
  const choice = choices.get(path);
  if (from === undefined || choice === undefined) return same;
  for (const file of unclear) {
    if (choices.has(file.path) || file.kind !== from.kind || file.doubt !== from.doubt) continue;
    const own = isOfCandidate(choice) ? sameCandidate(from, choice, file) : choice;
    if (own !== null) same.set(file.path, own);
  }
  return same;
}

type CandidateChoice = Extract<PairChoice, { kind: 'recording' | 'upload' }>;
type Candidate = UnclearFile['candidates'][number];

function isOfCandidate(choice: PairChoice): choice is CandidateChoice {
  return choice.kind === 'recording' || choice.kind === 'upload';
}

/** Returns the choice of a candidate. */
export function candidateChoice({ path, upload }: Candidate): PairChoice {
  return upload === undefined ? { kind: 'recording', path } : { kind: 'upload', id: upload.id };
}

/** Returns the index of a choice among the candidates of a file; -1: the choice is no candidate. */
export function candidatePlace({ candidates }: UnclearFile, choice: PairChoice): number {
  return candidates.findIndex(({ path, upload }) =>
    upload === undefined
      ? choice.kind === 'recording' && choice.path === path
      : choice.kind === 'upload' && choice.id === upload.id,
  );
}

function sameCandidate(from: UnclearFile, chosen: CandidateChoice, file: UnclearFile): PairChoice | null {
  const place = candidatePlace(from, chosen);
  const ending = endingOf(from.candidates[place]?.fileName ?? '');
  const alike = file.candidates.filter(({ fileName }) => endingOf(fileName) === ending);
  const [only, another] = from.doubt === 'several' ? alike : file.candidates.slice(place, place + 1);
  if (only === undefined || another !== undefined) return null;
  const choice = candidateChoice(only);
  return choice.kind === chosen.kind ? choice : null;
}

function endingOf(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
}

/** Returns the choices in the form of `uploads.preview` and `uploads.add`. */
export function chosenPairs(choices: PairChoices): Pick<FileChoice, 'path' | 'isExcluded' | 'belongsTo' | 'addsTo'>[] {
  return [...choices].flatMap(([path, choice]) => {
    if (choice.kind === 'left-out') return { path, isExcluded: true };
    if (choice.kind === 'upload') return choice.isFound === true ? [] : { path, addsTo: choice.id };
    return { path, belongsTo: choice.kind === 'own' ? null : choice.path };
  });
}

/** Returns the choices for single files, with the choices of recordings added. */
export function withPairs(files: readonly FileChoice[], choices: PairChoices): FileChoice[] {
  const pairs = new Map(chosenPairs(choices).map((each) => [each.path, each]));
  const joined = files.map((file) => {
    const pair = pairs.get(file.path);
    pairs.delete(file.path);
    return { ...file, ...pair, ...(file.isExcluded === true ? { isExcluded: true } : {}) };
  });
  return [...joined, ...pairs.values()];
}
