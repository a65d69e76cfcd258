import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { BatchDefaults } from '../../../shared/contract/uploads.ts';
import type { Behavior } from '../server/behavior.ts';
import type { Outcome } from './outcome.ts';

export const AREAS = {
  creation: 'Creating an item',
  placeholder: 'Creating a file',
  titles: 'Titles that the library changes',
  lists: 'Lists',
  tokens: 'Tokens and signing in',
  errors: 'Error answers',
  http: 'HTTP',
  descriptors: 'Upload descriptors',
  destinations: 'Upload destinations',
  notification: 'Notification of delivered bytes',
  processing: 'Processing',
  publication: 'Publication',
  'follow-ups': 'Captions, thumbnails and tags',
  deletes: 'Deletes',
  site: 'The address and collections of a library',
} as const;

export type Area = keyof typeof AREAS;

export interface LocalFile {
  name: string;
  bytes: number;
  /** Whether the file is captions or a thumbnail of another file and gets no separate upload. */
  goesAlong?: true;
}

/** The expected outcome of the upload. Omitted fields have the best value: everything complete at the first try. */
interface Expectation {
  /** The error code with which every file fails; omitted when every file completes. */
  fails?: ErrorCode;
  /** The number of files for which the user has to choose the item; no item was created twice for them. */
  asks?: number;
  /** The maximum number of retries of a file. */
  retries?: number;
  /** The maximum number of forms that are begun for a file. */
  forms?: number;
  /** The maximum number of bytes that are sent to destinations, as a multiple of the files' sizes. */
  bytes?: number;
  /** Most requests to the library and for notifications, after the sign-in and for all files. */
  requests?: number;
  /**
   * The maximum number of placeholders without bytes that may stay beside each file, if the library does not allow their removal.
   */
  leftovers?: number;
  /** The library's state of every item at the end. */
  itemStatus?: string;
  /** Every file arrived, as a draft, and the row shows that the library refused its publication. */
  publicationRefused?: true;
  /** Returns the title that the library shows for the sent title. */
  title?(sent: string): string;
  /** A further check. Returns a sentence about the violation, or undefined. */
  also?(outcome: Outcome): string | undefined;
}

/** A legitimate but unusual server, and the expected outcome of an upload to it. */
export interface UnusualCase {
  /** A unique id: the area, a dot, and its own words. */
  id: string;
  area: Area;
  /** The behavior of the server, as a sentence. */
  name: string;
  server: Behavior;
  /** `USUAL_FILES` unless given. */
  files?: readonly LocalFile[];
  batch?: Partial<BatchDefaults>;
  /** The path that is added to the origin when the user types the address. */
  typedPath?: string;
  /** How many times as fast as real time the clocks of both sides run. */
  speed?: number;
  expect?: Expectation;
}

/** A short file, one whose name needs escapes, and one that is large enough for `Expect: 100-continue`. */
export const USUAL_FILES: readonly LocalFile[] = [
  { name: 'Lecture 01.mp4', bytes: 2_000 },
  { name: 'Übung "2" – 100 %.mp3', bytes: 70_000 },
  { name: 'Recording.mov', bytes: 300_000 },
];

export type AddCase = (
  id: string,
  name: string,
  server: Behavior,
  more?: Omit<UnusualCase, 'id' | 'area' | 'name' | 'server'>,
) => void;

/** The cases of one area, in the order in which they are added. */
export function casesOf(area: Area, add: (it: AddCase) => void): UnusualCase[] {
  const cases: UnusualCase[] = [];
  add((id, name, server, more = {}) => void cases.push({ id: `${area}.${id}`, area, name, server, ...more }));
  return cases;
}
