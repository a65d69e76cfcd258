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
  /** Captions or a thumbnail of another file: no upload of its own. */
  goesAlong?: true;
}

/** The expected outcome of the upload. Fields that are left out have the best value: everything complete at the first try. */
interface Expectation {
  /** How every file ends, if not complete. */
  fails?: ErrorCode;
  /** How many files wait for the user to choose their item; nothing was created twice for them. */
  asks?: number;
  /** Most retries that a file uses up. */
  retries?: number;
  /** Most forms that are begun for a file. */
  forms?: number;
  /** Most bytes that go to destinations, as a multiple of the files' sizes. */
  bytes?: number;
  /** Most requests to the library and for notifications, after the sign-in and for all files. */
  requests?: number;
  /** Most placeholders without bytes that may stay beside each file, where the library does not let them be removed. */
  leftovers?: number;
  /** The library's state of every item at the end. */
  itemStatus?: string;
  /** Every file arrived, as a draft, and the row shows that the library refused its publication. */
  publicationRefused?: true;
  /** The title that the library shows, from the one that was sent. */
  title?(sent: string): string;
  /** Anything else. Answers what is wrong, or nothing. */
  also?(outcome: Outcome): string | undefined;
}

/** A legitimate but unusual server, and the expected outcome of an upload to it. */
export interface UnusualCase {
  /** Unique: the area, a dot, and its own words. */
  id: string;
  area: Area;
  /** What the server does, as a sentence. */
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

/** A short one, one with a name that needs escapes, and one that is large enough to ask the destination first. */
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
