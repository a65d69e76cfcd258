import type { Readable } from 'node:stream';
import type { FileSink, SinkEvents } from './file-sink.ts';
import type { Space } from './scratch.ts';

/**
 * The storage of content. A blob is complete and never changes. Its name is random and reveals nothing about the content; the
 * database knows what it is.
 */
export interface Blobs {
  /** Begins a new blob whose bytes arrive one after another. */
  receive(sizeBytes: number): IncomingBlob;
  /** Stores a complete temporary file, which is gone afterwards, and returns the name of the blob. */
  put(path: string): Promise<string>;
  /** Bytes; undefined when there is no such blob. */
  size(name: string): Promise<number | undefined>;
  /** The bytes of a blob from `start` to `end`, both included. Rejects or fails when they can't be read. */
  read(name: string, range: ByteRange): Promise<Readable>;
  /** Makes a blob readable for tools, as a file of this computer. */
  local(name: string, signal: AbortSignal): Promise<LocalBlob>;
  /** Deletes a blob: at once, or after the last `hold` has ended. */
  remove(name: string): Promise<void>;
  /** Keeps every blob until the result is called, so that a copy of all of them is whole. */
  hold(): () => Promise<void>;
  /** Rejects when nothing can be stored at present. */
  tryWrite(): Promise<void>;
  /** The space that is left; undefined where the storage does not tell. */
  space(): Promise<Space | undefined>;
  /** How everyone with an address reads content without the service; absent: the service sends it. */
  redirect?: ContentRedirect;
  /** How clients send content without the service; absent: they never could. */
  direct?: DirectUploads;
  /** Whether there is content that only the database of a library can name. */
  hasContent(): boolean;
  /** Deletes what no name of `known` stands for, as far as a start may. Returns the number of deleted files. */
  purge(known: ReadonlySet<string>): number;
}

interface ContentRedirect {
  /** Scheme, host and port of the addresses. */
  readonly origin: string;
  /** The address at which everyone can read a blob for a time. */
  address(name: string, shown: ShownAs): string;
}

export interface ShownAs {
  contentType: string;
  contentDisposition: string;
  /** Seconds for which the address is valid. */
  ttlS: number;
}

/**
 * Content that clients send to the storage themselves. It is under a name of its own, and everyone with the form can replace it until
 * the form expires: therefore it becomes a blob by a copy.
 */
export interface DirectUploads {
  /** Returns a form for content of exactly this size; undefined when the storage takes no form for it. */
  offer(sizeBytes: number, expiresAt: Date): DirectForm | undefined;
  /** Bytes that arrived under the name of a form; undefined when none did. */
  size(name: string): Promise<number | undefined>;
  /** Makes a blob of what arrived; returns the name of the blob, undefined when it is not there any more. */
  adopt(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Deletes what arrived, after the time for which removed blobs stay. */
  remove(name: string): Promise<void>;
}

interface DirectForm {
  name: string;
  url: string;
  /** They precede the file. */
  fields: Record<string, string>;
  fileParam: string;
}

interface ByteRange {
  start: number;
  end: number;
}

/** A blob that is not complete. Call `keep` when its sink has finished, and `discard` in every case. */
export interface IncomingBlob {
  /** To be called once. */
  open(events: SinkEvents): FileSink;
  /** Makes the blob permanent; returns its name. */
  keep(): Promise<string>;
  /** Deletes what was received, unless it was kept. */
  discard(): Promise<void>;
}

export interface LocalBlob {
  path: string;
  release(): Promise<void>;
}

/** Returns whether a text is the name of a form for direct uploads. */
export function isDirectName(name: string): boolean {
  return /^incoming\/[0-9a-f]{32}$/.test(name);
}

/** Returns whether a text is the name of a blob. */
export function isBlobName(name: string): boolean {
  return /^[0-9a-f]{32}$/.test(name);
}
