import type { Act, EditScenario, EditTrouble, LibraryTraits } from './edit-scenario.ts';

/** A short scenario in which one guard matters. Times are in seconds. */
export interface GuardStory {
  items?: number;
  hasOtherSite?: boolean;
  service?: Partial<LibraryTraits>;
  acts: readonly Act[];
  troubles?: readonly EditTrouble[];
}

const SERVICE: LibraryTraits = {
  pageSize: 5,
  isInclusive: true,
  silent: 'none',
  lackingStatus: 404,
  rewrites: 'nothing',
  clockAheadMs: 0,
  retryAfterS: 0,
};

/** Returns an act; see `Act` for `pick` and `value`. */
export function act(atS: number, by: Act['by'], kind: Act['kind'], pick = 0, value = 4): Act {
  return { atMs: atS * 1000, by, kind, pick, value };
}

/** Everything of one kind fails at a computer from one second to another. */
export function trouble(kind: EditTrouble['kind'], site: 'A' | 'B', fromS: number, toS: number): EditTrouble {
  return { kind, site, fromMs: fromS * 1000, toMs: toS * 1000, rate: 1 };
}

/** Returns the scenario of a story; another seed means other delays. */
export function scenarioOfStory(
  { items = 4, hasOtherSite = false, service = {}, acts, troubles = [] }: GuardStory,
  seed: number,
): EditScenario {
  return {
    seed,
    items,
    calmAtMs: 200_000,
    hasOtherSite,
    hasCollections: true,
    service: { ...SERVICE, ...service },
    acts: [...acts],
    troubles: [...troubles],
  };
}
