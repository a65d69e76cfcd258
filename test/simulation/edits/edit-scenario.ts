import { Prng } from '../../helpers/data/prng.ts';
import type { Fault } from '../scenario.ts';

/** The computers of two editors, each with an account at the same library. */
export const COMPUTERS = ['A', 'B'] as const;
export type Computer = (typeof COMPUTERS)[number];
/** Another account on the first computer, at another library whose items have the same ids. */
export const OTHER_SITE = 'A2';

/** Everything that happens in one run of editors, as plain data. Times are in milliseconds. */
export interface EditScenario {
  seed: number;
  items: number;
  /** Troubles and acts end here; after this everything must end. */
  calmAtMs: number;
  service: LibraryTraits;
  hasOtherSite: boolean;
  /** Persons edit collections, too. */
  hasCollections?: boolean;
  acts: Act[];
  troubles: EditTrouble[];
}

/** What the API leaves to the service. */
export interface LibraryTraits {
  pageSize: number;
  /** Whether `created_after` and `created_before` include the instant. */
  isInclusive: boolean;
  /** Which changes do not move `modified_on`. */
  silent: 'none' | 'tags' | 'all';
  /** How a missing permission, and a hidden item, is reported. */
  lackingStatus: 403 | 404;
  /** What the service makes of values: of blanks, and of HTML. */
  rewrites: 'nothing' | 'blanks' | 'html';
  /** How far the service's clock is ahead. */
  clockAheadMs: number;
  /** Seconds of `Retry-After` in refusals of a maintenance; 0: none. */
  retryAfterS: number;
  /** How long after its `modified_on` every second change becomes visible; absent: all changes are visible at once. */
  commitsLateMs?: number;
}

/** `lists-partial`: lists leave items out; `lists-empty`: they are empty; `counts-too`: counts agree with such lists. */
export interface EditTrouble extends Omit<Fault, 'kind'> {
  kind: Fault['kind'] | 'lists-partial' | 'lists-empty' | 'counts-too' | 'rights-lost';
}

const PERSON_ACTS = [
  'edit',
  'edit',
  'edit-one',
  'edit-one',
  'edit-many',
  'tags',
  'tags',
  'move',
  'publish',
  'publish-at',
  'unpublish',
  'delete',
  'open',
  'undo',
  'undo',
  'retry',
  'drop',
  'resolve',
  'resolve',
  'sync',
] as const;
export const PROGRAM_ACTS = ['crash', 'crash-at-write', 'power-cut', 'restart', 'clock-jump', 'store-full'] as const;
const EDITOR_ACTS = [
  'edit',
  'edit',
  'edit',
  'edit-back',
  'tags',
  'move',
  'publish',
  'unpublish',
  'delete',
  'create',
  'hide',
  'show',
] as const;

/** Acts about collections, of persons and of the third editor. */
const COLLECTION_ACTS = [
  'new-collection',
  'new-collection',
  'collection-fields',
  'collection-fields',
  'podcast',
  'move-collection',
  'delete-collection',
  'into-collection',
  'into-collection',
] as const;
/** Acts of an administrator: what is in a collection is hidden from an account, and shown again. */
const RIGHTS_ACTS = ['hide-collection', 'hide-collection', 'show-collection'] as const;
/** Troubles that leave open whether the library has received a request. */
const UNCLEAR = ['requests-lost', 'replies-lost', 'faults-after', 'garbled', 'slow'] as const;
const COLLECTION_DECISIONS = ['undo', 'undo', 'redo', 'redo', 'drop', 'resolve', 'retry', 'restore'] as const;

export function isAboutCollections({ kind }: Pick<Act, 'kind'>): boolean {
  return (COLLECTION_ACTS as readonly string[]).includes(kind);
}

/** One act of a person or of the third editor, or something that happens to a program. */
export interface Act {
  atMs: number;
  by: Computer | 'editor';
  kind:
    | (typeof PERSON_ACTS)[number]
    | (typeof PROGRAM_ACTS)[number]
    | (typeof EDITOR_ACTS)[number]
    | (typeof COLLECTION_ACTS)[number]
    | (typeof RIGHTS_ACTS)[number]
    | (typeof COLLECTION_DECISIONS)[number];
  /** Which item, field, group or row; each act takes it modulo what exists then. */
  pick: number;
  /** Makes values of different acts different; small ones are common to several acts. */
  value: number;
  /** Whether the act concerns the other account of the first computer. */
  isOther?: boolean;
  /** At which of the next writes the program dies; absent: an early one, chosen by `value`. */
  writes?: number;
}

const MINUTE_MS = 60_000;

const TROUBLE_KINDS = [
  'offline',
  'offline',
  'offline',
  'requests-lost',
  'replies-lost',
  'replies-lost',
  'faults-before',
  'faults-after',
  'garbled',
  'slow',
  'forbidden',
  'maintenance',
  'signed-out',
  'keychain-locked',
  'lists-partial',
  'lists-empty',
  'counts-too',
  'rights-lost',
] as const satisfies readonly EditTrouble['kind'][];

/** Returns the scenario of a seed. In half of them persons edit collections, too. */
export function editScenarioOf(seed: number): EditScenario {
  const scenario = withGateway(withLateChanges(itemScenarioOf(seed)));
  const prng = new Prng(seed, 27);
  if (!prng.chance(0.5)) return scenario;
  const { calmAtMs, hasOtherSite } = scenario;
  const some = <T>(kinds: readonly T[]) => {
    const chosen = kinds.filter(() => prng.chance(0.6));
    return chosen.length === 0 ? [prng.pick(kinds)] : chosen;
  };
  const kinds = some(COLLECTION_ACTS);
  const decisions = some(COLLECTION_DECISIONS);
  const picks = prng.int(0, 3);
  const busyAtMs = prng.int(0, calmAtMs);
  const act = (by: Act['by']): Act => ({
    atMs: prng.chance(0.4) ? prng.int(0, calmAtMs) : Math.min(calmAtMs, busyAtMs + prng.spread(1, 20_000)),
    by,
    kind: prng.pick(by !== 'editor' && prng.chance(0.3) ? decisions : kinds),
    pick: prng.chance(0.8) ? prng.int(0, picks) : prng.int(0, 1000),
    value: prng.chance(0.25) ? prng.int(0, 3) : prng.int(4, 1_000_000),
    ...(hasOtherSite && by === 'A' && prng.chance(0.25) ? { isOther: true } : {}),
  });
  const acts = (count: number, by: Act['by']) => Array.from({ length: count }, () => act(by));
  const added = [...acts(prng.int(3, 16), 'A'), ...acts(prng.int(0, 8), 'B'), ...acts(prng.int(0, 6), 'editor')];
  // Without most of the acts about items, those about collections meet more often.
  const kept = prng.chance(0.5) ? scenario.acts : scenario.acts.filter(() => prng.chance(0.3));
  // Long times without a connection after the first sync, so that collections get local ids.
  const offline = COMPUTERS.flatMap((site): EditTrouble[] => {
    if (prng.chance(0.4)) return [];
    const fromMs = prng.int(2000, Math.max(2000, busyAtMs + 1000));
    return [{ kind: 'offline', site, fromMs, toMs: prng.int(fromMs, calmAtMs), rate: 1 }];
  });
  // Several kinds of troubles, one at a time, so that edits are sent between them.
  const unclear: EditTrouble[] = prng.chance(0.4)
    ? [
        {
          kind: prng.pick(UNCLEAR),
          site: null,
          fromMs: prng.int(0, calmAtMs),
          toMs: calmAtMs,
          rate: prng.pick([0.3, 0.6]),
        },
      ]
    : [];
  return withHiddenCollections({
    ...scenario,
    hasCollections: true,
    troubles: [...scenario.troubles, ...offline, ...unclear],
    acts: [...kept, ...added].sort((one, other) => one.atMs - other.atMs),
  });
}

/** Moves items into collections at first, and adds changes of the rights to collections, most of them close to another act. */
function withHiddenCollections(scenario: EditScenario): EditScenario {
  const prng = new Prng(scenario.seed, 28);
  if (!prng.chance(0.3)) return scenario;
  const { calmAtMs, acts } = scenario;
  const momentMs = () => {
    if (acts.length === 0 || prng.chance(0.3)) return prng.int(0, calmAtMs);
    return Math.min(calmAtMs, Math.max(0, prng.pick(acts).atMs + prng.int(-5000, 20_000)));
  };
  const picks = prng.int(0, 3);
  const hiding = Array.from(
    { length: prng.int(1, 8) },
    (): Act => ({
      atMs: momentMs(),
      by: 'editor',
      kind: prng.pick(RIGHTS_ACTS),
      pick: prng.int(0, picks),
      value: prng.int(0, 1),
    }),
  );
  const moves = Array.from(
    { length: prng.int(0, 4) },
    (): Act => ({
      atMs: prng.int(0, 3000),
      by: 'editor',
      kind: 'into-collection',
      pick: prng.int(1, 2),
      value: prng.int(0, 7),
    }),
  );
  return { ...scenario, acts: [...moves, ...acts, ...hiding].sort((one, other) => one.atMs - other.atMs) };
}

/** Makes some services set the time of a change when it begins, although it becomes visible later. */
function withLateChanges(scenario: EditScenario): EditScenario {
  const prng = new Prng(scenario.seed, 29);
  if (!prng.chance(0.2)) return scenario;
  return { ...scenario, service: { ...scenario.service, commitsLateMs: prng.int(1, 100) * 1000 } };
}

/** Stops some libraries for a time, while a server in front of them answers all requests. */
function withGateway(scenario: EditScenario): EditScenario {
  const prng = new Prng(scenario.seed, 30);
  if (!prng.chance(0.2)) return scenario;
  return { ...scenario, troubles: [...scenario.troubles, aTrouble(prng, ['gateway'], scenario.calmAtMs)] };
}

/** Returns the scenario of a seed without edits of collections. A seed uses only some kinds, so that rare combinations occur often. */
export function itemScenarioOf(seed: number): EditScenario {
  const prng = new Prng(seed, 21);
  const calmAtMs = prng.spread(20_000, 15 * MINUTE_MS);
  const isLarge = prng.chance(0.03);
  const hasOtherSite = prng.chance(0.2);
  const some = <T>(kinds: readonly T[], share: number) => {
    const chosen = kinds.filter(() => prng.chance(share));
    return chosen.length === 0 ? [prng.pick(kinds)] : chosen;
  };
  const personActs = some(PERSON_ACTS, 0.6);
  const programActs = some(PROGRAM_ACTS, 0.3);
  const editorActs = some(EDITOR_ACTS, 0.5);
  const troubleKinds = some(TROUBLE_KINDS, 0.25);
  const items = isLarge ? prng.int(60, 120) : prng.int(1, 8);
  /** Few items are edited, so that the editors meet on them. */
  const picks = prng.int(1, 4);
  /** Moments at which everyone is busy. */
  const busy = Array.from({ length: prng.int(1, 3) }, () => prng.int(0, calmAtMs));
  const momentMs = () => {
    if (prng.chance(0.5)) return prng.int(0, calmAtMs);
    return Math.min(calmAtMs, prng.pick(busy) + prng.spread(1, 20_000));
  };
  const act = (by: Act['by'], kinds: readonly Act['kind'][]): Act => ({
    atMs: momentMs(),
    by,
    kind: prng.pick(kinds),
    pick: prng.chance(0.8) ? prng.int(0, picks) : prng.int(0, 1000),
    value: prng.chance(0.25) ? prng.int(0, 3) : prng.int(4, 1_000_000),
    ...(hasOtherSite && by === 'A' && prng.chance(0.25) ? { isOther: true } : {}),
  });
  const acts = (count: number, by: Act['by'], kinds: readonly Act['kind'][]) =>
    Array.from({ length: count }, () => act(by, kinds));
  return {
    seed,
    items,
    calmAtMs,
    hasOtherSite,
    service: {
      pageSize: isLarge ? 50 : prng.pick([1, 2, 3, 5]),
      isInclusive: prng.chance(0.5),
      silent: prng.pick(['none', 'none', 'tags', 'all']),
      lackingStatus: prng.pick([403, 404]),
      rewrites: prng.pick(['nothing', 'nothing', 'blanks', 'html']),
      clockAheadMs: prng.chance(0.3) ? prng.int(-3 * MINUTE_MS, 3 * MINUTE_MS) : 0,
      retryAfterS: prng.chance(0.3) ? prng.pick([1, 30]) : 0,
    },
    acts: [
      ...acts(prng.int(1, 12), 'A', personActs),
      ...acts(prng.int(0, 10), 'B', personActs),
      ...acts(prng.chance(0.5) ? prng.int(1, 3) : 0, 'A', programActs),
      ...acts(prng.chance(0.3) ? prng.int(1, 3) : 0, 'B', programActs),
      ...acts(prng.int(0, 10), 'editor', editorActs),
    ].sort((one, other) => one.atMs - other.atMs),
    troubles: withCounts(
      Array.from({ length: prng.int(0, 5) }, () => aTrouble(prng, troubleKinds, calmAtMs)),
      new Prng(seed, 26),
    ),
  };
}

/** Makes counts agree with half of the lists that are not complete. */
function withCounts(troubles: readonly EditTrouble[], prng: Prng): EditTrouble[] {
  return troubles.flatMap((trouble) => {
    const isList = trouble.kind === 'lists-partial' || trouble.kind === 'lists-empty';
    return isList && prng.chance(0.5) ? [trouble, { ...trouble, kind: 'counts-too' }] : [trouble];
  });
}

function aTrouble(prng: Prng, kinds: readonly EditTrouble['kind'][], calmAtMs: number): EditTrouble {
  const fromMs = prng.chance(0.3) ? 0 : prng.int(0, calmAtMs);
  return {
    kind: prng.pick(kinds),
    site: prng.chance(0.3) ? null : prng.pick([...COMPUTERS]),
    fromMs,
    toMs: Math.min(calmAtMs, fromMs + prng.spread(500, calmAtMs)),
    rate: prng.pick([0.1, 0.3, 0.6, 1]),
  };
}
