import type { FileChoice, ListedFile, UnclearPair } from '../../../shared/contract/upload-files.ts';

/** Where a file belongs, as the user chose it. `own`: it becomes an item of its own. */
export type PairChoice = { kind: 'recording'; path: string } | { kind: 'own' } | { kind: 'left-out' };

/** Captions, a thumbnail or details whose recording is not clear from its name. It stays listed after the user chose. */
export interface UnclearFile extends UnclearPair {
  path: string;
  fileName: string;
  /** The problem, as users read it. */
  message: string;
}

export type PairChoices = ReadonlyMap<string, PairChoice>;

/**
 * Returns the unclear files of a count, and the choices that are possible. A decided file is no longer unclear to the engine; it
 * stays here. One that is unclear despite its choice, such as a second thumbnail for a recording, is open again.
 */
export function unclearFiles(
  before: readonly UnclearFile[],
  files: readonly ListedFile[],
  choices: PairChoices,
): { unclear: UnclearFile[]; choices: PairChoices } {
  const found = new Map(
    files.flatMap(({ path, fileName, unclear, problem }) =>
      unclear === null ? [] : [[path, { path, fileName, message: problem?.message ?? '', ...unclear }]],
    ),
  );
  const kept = before.flatMap((file) => found.get(file.path) ?? (choices.has(file.path) ? [file] : []));
  const known = new Set(kept.map(({ path }) => path));
  const unclear = [...kept, ...[...found.values()].filter(({ path }) => !known.has(path))];
  const isPossible = [...choices.keys()].every((path) => !found.has(path));
  return { unclear, choices: isPossible ? choices : new Map([...choices].filter(([path]) => !found.has(path))) };
}

/**
 * Returns the files that the same choice can decide: open ones of the same kind, with the same doubt. A recording is chosen
 * by what both have in common: its type where names fit several recordings, otherwise its place among the candidates.
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
    const own = choice.kind === 'recording' ? sameRecording(from, choice.path, file) : choice;
    if (own !== null) same.set(file.path, own);
  }
  return same;
}

function sameRecording(from: UnclearFile, chosen: string, file: UnclearFile): PairChoice | null {
  const place = from.candidates.findIndex((each) => each.path === chosen);
  const ending = endingOf(from.candidates[place]?.fileName ?? '');
  const alike = file.candidates.filter(({ fileName }) => endingOf(fileName) === ending);
  const [only, another] = from.doubt === 'several' ? alike : file.candidates.slice(place, place + 1);
  return only === undefined || another !== undefined ? null : { kind: 'recording', path: only.path };
}

function endingOf(fileName: string): string {
  return fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
}

/** Returns the choices as `uploads.preview` and `uploads.add` take them. */
export function chosenPairs(choices: PairChoices): Pick<FileChoice, 'path' | 'isExcluded' | 'belongsTo'>[] {
  return [...choices].map(([path, choice]) => {
    if (choice.kind === 'left-out') return { path, isExcluded: true };
    return { path, belongsTo: choice.kind === 'own' ? null : choice.path };
  });
}

/** Returns the choices for single files with those about where files belong. */
export function withPairs(files: readonly FileChoice[], choices: PairChoices): FileChoice[] {
  const pairs = new Map(chosenPairs(choices).map((each) => [each.path, each]));
  const joined = files.map((file) => {
    const pair = pairs.get(file.path);
    pairs.delete(file.path);
    return { ...file, ...pair, ...(file.isExcluded === true ? { isExcluded: true } : {}) };
  });
  return [...joined, ...pairs.values()];
}
