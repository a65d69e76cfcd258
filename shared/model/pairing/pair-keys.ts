import { splitFileName } from '../title-template.ts';
import {
  type CompanionKind,
  companionKindOf,
  isRecordingName,
  looseForm,
  stemsOf,
  withoutPictureEnd,
} from './pair-files.ts';

// Keys by which the recording of a file, and the companions of a recording, are found in a database. They find every file
// that `pairFiles` needs to decide about one file as it would among all files of the folder.

/** Separates the folder from the name, so that a range of names contains no file of a sub-folder. */
const SEPARATOR = '\u0001';

/** Longer than names of files on any system. */
const LONGEST_NAME = 1000;

/** Keys from `from` to `to`, both excluded, in the order of their code points. */
interface KeyRange {
  from: string;
  to: string;
}

/** Keys of files: equal to one of `keys`, or in `range`. */
export interface WantedKeys {
  keys: string[];
  range: KeyRange | null;
}

/**
 * Returns the key of a file. `path`: relative, with `/` between the names. Empty for a file that is neither a recording nor can
 * belong to one.
 */
export function pairKeyOf(path: string): string {
  const { folder, name } = splitPath(path);
  if (isRecordingName(name)) return recordingKey(folder, looseStem(name));
  return companionKindOf(name) === null ? '' : companionKey(folder, looseStem(name));
}

/** Returns the keys of the recordings to which a file may belong, certainly or not. */
export function keysOfRecordings(path: string): WantedKeys {
  const { folder, name } = splitPath(path);
  const kind = companionKindOf(name);
  if (kind === null) return { keys: [], range: null };
  const forms = formsOf(name, kind);
  if (kind !== 'captions') return { keys: forms.map((form) => recordingKey(folder, form)), range: null };
  const own = looseStem(name);
  const keys = [...forms, ...beginningsOf(own)].map((form) => recordingKey(folder, form));
  const from = recordingKey(folder, own);
  return { keys, range: own === '' ? null : { from, to: `${from}\u{10ffff}` } };
}

/** Returns the keys of the files that belong to a recording by their names, and of those whose names begin in the same way. */
export function keysOfCompanions(path: string): WantedKeys {
  const { folder, name } = splitPath(path);
  const key = companionKey(folder, looseStem(name));
  // `/` is the character after the dot, so the range contains the names that begin with the name and a dot.
  return { keys: [key], range: { from: `${key}.`, to: `${key}/` } };
}

/** Returns the keys of the pictures that are named exactly like a recording. */
export function keysOfPictures(path: string): WantedKeys {
  const { folder, name } = splitPath(path);
  return { keys: [companionKey(folder, looseStem(name)), companionKey(folder, looseForm(name))], range: null };
}

/** A file can also be named after the recording with its extension: `talk.mp4.srt`. */
function formsOf(name: string, kind: CompanionKind): string[] {
  const stems = stemsOf(name, kind);
  const all = kind === 'thumbnail' ? [...stems, ...stems.map(withoutPictureEnd)] : stems;
  return [...new Set(all.flatMap((stem) => [looseForm(stem), looseStem(stem)]))];
}

/** Returns the beginnings of a name that end before a character that is neither a letter nor a digit. */
function beginningsOf(form: string): string[] {
  return [...form.slice(0, LONGEST_NAME).matchAll(/[^\p{L}\p{N}]/gu)].map(({ index }) => form.slice(0, index).trim());
}

function splitPath(path: string): { folder: string; name: string } {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { folder: path.slice(0, path.length - name.length), name };
}

function looseStem(name: string): string {
  return looseForm(splitFileName(name).stem);
}

function recordingKey(folder: string, form: string): string {
  return `${folder}${SEPARATOR}r${form}`;
}

function companionKey(folder: string, form: string): string {
  return `${folder}${SEPARATOR}c${form}`;
}
