import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { ItemPlace, MediaRights } from '../../../../shared/contract/library.ts';
import { MAX_PLACES, type MediaAction } from '../../../../shared/model/media-rights.ts';
import { delayed } from '../../../async/delayed.ts';
import { call } from '../../../bridge/bridge.ts';
import { warn } from '../../app/messages-store.ts';
import { mediaList } from '../media-store.ts';
import { selectedTarget, type Target } from './media-selection.ts';
import { placesOf } from './places-of.ts';

/** What the account can't do with items, by what that depends on, see `placesOf`. */
const useRights = create<{ known: ReadonlyMap<string, MediaRights> }>(() => ({ known: new Map() }));

/** More answers are not kept. */
const MOST_KNOWN = 100;
const PAUSE_MS = 150;

/** Draws a component again when the rights to items become known; not while it doesn't need them. */
export function useKnownRights(isNeeded = true): void {
  useRights(({ known }) => (isNeeded ? known : null));
}

/** Returns why the account can't do something with any of the items; null when it can, or when that is not known. */
export function refusalOf(target: Target, action: MediaAction): AppErrorData | null {
  const places = placesIn(target);
  return places === null ? null : (useRights.getState().known.get(places.key)?.[action] ?? null);
}

/** Runs a command, or says in a message why the account can't use it. */
export function runAllowed(refusal: AppErrorData | null, run: () => void): void {
  if (refusal === null) run();
  else warn(refusal.message, refusal.nextStep);
}

/** Loads the rights to items. */
export async function loadRightsTo(target: Target): Promise<void> {
  const places = placesIn(target);
  if (places === null) return;
  try {
    const rights = await call('library.rightsOf', { siteId: target.selection.siteId, items: places.items });
    const { key } = places;
    useRights.setState(({ known }) => {
      const others = [...known].filter(([each]) => each !== key).slice(-MOST_KNOWN);
      return { known: new Map([...others, [key, rights]]) };
    });
  } catch (thrown) {
    // Nothing is refused then, and the library decides about each edit.
    console.warn('Permissions not loaded', thrown);
  }
}

const selected = delayed(() => {
  const target = selectedTarget();
  if (target !== null) void loadRightsTo(target);
}, PAUSE_MS);

/** Call when other items are selected: loads the rights to them shortly after. */
export function noteSelectedItems(): void {
  selected.postpone();
}

interface Places {
  items: ItemPlace[];
  key: string;
}

/** The places of each target, for one state of the rows of the list: every command of a menu asks about the same target. */
const known = new WeakMap<Target, { query: unknown; version: number; places: Places | null }>();

function placesIn(target: Target): Places | null {
  const { query, version } = mediaList.useList.getState();
  const last = known.get(target);
  if (last !== undefined && last.query === query && last.version === version) return last.places;
  const items = placesOf(target, mediaList.loaded());
  const isUsable = items !== null && items.length <= MAX_PLACES;
  const places = isUsable ? { items, key: JSON.stringify([target.selection.siteId, items]) } : null;
  known.set(target, { query, version, places });
  return places;
}
