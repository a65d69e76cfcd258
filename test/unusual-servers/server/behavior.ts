import type { Clock } from '../../../electron/engine/ports/clock.ts';
import type { Library, LibrarySettings } from './library.ts';
import type { Host, Reply, Request, RequestHead } from './wire.ts';

/** What a behavior knows of the library that it changes. */
export interface World {
  library: Library;
  clock: Clock;
  /** Without a slash at the end. */
  origins: Readonly<Record<Host, string>>;
  /** How often this was called with `key`, this time included. */
  times(key: string): number;
  /** The instant (of the library's clock) at which this was first called with `key`. */
  since(key: string): number;
}

/**
 * What makes a server unusual. Each part is called for every request; what a part answers `undefined` for goes the usual
 * way.
 */
export interface Behavior {
  library?: Partial<LibrarySettings>;
  /** Answers as soon as the head is there; the body is not read. */
  early?(head: RequestHead, world: World): Reply | undefined;
  /** Answers instead of the library. */
  instead?(request: Request, world: World): Reply | undefined;
  /** Changes the library's own reply, after the request took effect. */
  change?(reply: Reply, request: Request, world: World): Reply | undefined;
  /** What `Expect: 100-continue` gets; one go-ahead unless given. */
  goAhead?: 'once' | 'twice' | 'never';
  /** Reads bodies in pieces with pauses between them. */
  readsSlowly?: boolean;
  /** Closes every connection after its reply. */
  closesAlways?: boolean;
}
