import type { Clock } from '../../../electron/engine/ports/clock.ts';
import type { Library, LibrarySettings } from './library.ts';
import type { Host, Reply, Request, RequestHead } from './wire.ts';

/** The facts about the library that a behavior can use. */
export interface World {
  library: Library;
  clock: Clock;
  /** Without a slash at the end. */
  origins: Readonly<Record<Host, string>>;
  /** Returns the number of calls with `key`, including this one. */
  times(key: string): number;
  /** Returns the instant (of the library's clock) of the first call with `key`. */
  since(key: string): number;
}

/**
 * The unusual behavior of a server. Each part is called for every request; a part that returns `undefined` leaves the request to
 * the usual behavior.
 */
export interface Behavior {
  library?: Partial<LibrarySettings>;
  /** Answers when the head has arrived; the body is not read. */
  early?(head: RequestHead, world: World): Reply | undefined;
  /** Answers instead of the library. */
  instead?(request: Request, world: World): Reply | undefined;
  /** Changes the library's own reply, after the request took effect. */
  change?(reply: Reply, request: Request, world: World): Reply | undefined;
  /** The answer to `Expect: 100-continue`; default: one go-ahead. */
  goAhead?: 'once' | 'twice' | 'never';
  /** Reads bodies in pieces with pauses between them. */
  readsSlowly?: boolean;
  /** Closes every connection after its reply. */
  closesAlways?: boolean;
}
