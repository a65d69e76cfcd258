import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { Hints } from './hints.ts';
import { KnownListings } from './known-listings.ts';

/** This process's state of a watched folder beside the stored record. Times are on the monotonic clock. */
export interface FolderRuntime {
  /** `unknown`: not checked yet in this process. */
  root: 'unknown' | 'there' | 'away' | 'moved' | 'unusable';
  /** Why the folder is not there or can't be used; null: there is no reason. */
  notice: AppErrorData | null;
  movedTo: string | null;
  isNetwork: boolean;
  isSweeping: boolean;
  /** When the latest complete sweep began; null: none ran in this process. */
  sweptSince: number | null;
  /** When the next sweep is due. */
  sweepAt: number;
  /** Which folders a sweep need not compare with their rows. */
  listings: KnownListings;
  hints: Hints;
  /** When the hints are processed; null: there are none. */
  hintsAt: number | null;
  /** Since when events are reported; null while they are not. */
  eventsSince: number | null;
  /** Why events are not used in this process. */
  eventsFault: AppErrorData | null;
  unsubscribe: (() => Promise<void>) | null;
  /** Counts subscriptions, so that events of an earlier one are ignored. */
  subscription: number;
  /** Paths that a sweep found before an event was reported, with the time by which an event should be reported. */
  suspects: Map<string, number>;
}

export function newRuntime(now: number): FolderRuntime {
  return {
    root: 'unknown',
    notice: null,
    movedTo: null,
    isNetwork: false,
    isSweeping: false,
    sweptSince: null,
    sweepAt: now,
    listings: new KnownListings(),
    hints: new Hints(),
    hintsAt: null,
    eventsSince: null,
    eventsFault: null,
    unsubscribe: null,
    subscription: 0,
    suspects: new Map(),
  };
}
