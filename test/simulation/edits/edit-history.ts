import type { EditRecord, GroupRecord } from '../../../electron/engine/edits/journal/edit-row.ts';
import type { EditableMedia } from '../../../shared/model/edits/edit-ops.ts';
import type { RequestFact } from '../history.ts';
import type { EditScenario } from './edit-scenario.ts';

/** The values of a media item that a change can concern. `item`: whether it exists. */
export const WATCHED = ['title', 'byline', 'description', 'collectionId', 'publication', 'item'] as const;
export type Watched = (typeof WATCHED)[number];

/** A value of an item changed in a library. */
export interface EffectFact {
  atMs: number;
  library: string;
  /** The account that changed it; `editor`: the third person; `time`: a publish time arrived. */
  by: string;
  itemId: string;
  /** A tag: `tag NAME`, with the values `yes` and `no`. */
  field: Watched | `tag ${string}`;
  before: string;
  after: string;
  /** For a request of an account: the item as that program had read it last before it sent the request. */
  known: EditableMedia | null;
  /** Whether the change did not move `modified_on`. */
  isSilent: boolean;
}

/** A value of a collection changed in a library. */
export interface CollectionEffectFact {
  atMs: number;
  library: string;
  by: string;
  id: string;
  /** A field of the API, `parent`, or `item`: it exists with that name, or it does not. */
  field: string;
  before: string;
  after: string;
  /** For a request of an account: the collection as that program had read it last before it sent the request. */
  known: KnownCollectionValues | null;
}

/** Values of a collection as text, by field. */
export type KnownCollectionValues = Readonly<Record<string, string>>;

/** A person confirmed the deletion of a collection, and was told which others are deleted with it. */
interface ConfirmedFact {
  site: string;
  id: string;
  collectionIds: readonly string[];
}

/** A program requested collections. */
export interface CollectionReadFact {
  /** Of a list: when its answer arrived. */
  atMs: number;
  site: string;
  /** The tree of the collections that the account may delete, or a page of a list. */
  of: 'deletable' | 'list';
  /** Of a list: the parent of its collections; null: it has all of them. */
  parentId: string | null;
  /** Whether this is the last page of the list. */
  isLast: boolean;
  /** What the answer showed: the parents of collections by their ids. Nothing when no answer arrived. */
  shown: Readonly<Record<string, string>>;
}

/** A value of a collection that the person at an account saw before deciding about it. */
interface CollectionSeenFact {
  atMs: number;
  site: string;
  id: string;
  field: string;
  value: string;
}

/** A value that the person at an account saw before deciding about the item. */
interface SeenFact {
  atMs: number;
  site: string;
  itemId: string;
  field: Watched;
  value: string;
}

/** A group that the program confirmed, with the number of its items. */
interface AcceptedFact {
  atMs: number;
  site: string;
  groupId: string;
  items: number;
}

/** The person answered the question of a record, dropped it, or undid its group. */
interface DecisionFact {
  atMs: number;
  site: string;
  seq: number;
  itemId: string;
  field: string;
  choice: string;
  /** Whether the call has ended: a crash during it can leave the question as it was. */
  isStored: boolean;
}

/** The state of one account at the end of a run. */
export interface FinalAccount {
  site: string;
  library: string;
  groups: GroupRecord[];
  records: EditRecord[];
  /** Records that were still open, long after all troubles, although they needed no decision. */
  waiting: EditRecord[];
  /** Items as the mirror and its lists have them, and as the library has them for this account. */
  mirrored: Record<string, string>;
  listed: Record<string, string>;
  expected: Record<string, string>;
  /** The library's ids of collections that were made on this computer, by their local ids. */
  serverIds: Record<string, string>;
  /** The collections in the mirror and in the library. */
  mirroredCollections: Record<string, string>;
  expectedCollections: Record<string, string>;
}

export interface EditHistory {
  scenario: EditScenario;
  requests: RequestFact[];
  effects: EffectFact[];
  collectionEffects: CollectionEffectFact[];
  seen: SeenFact[];
  seenCollections: CollectionSeenFact[];
  /** Collections that were hidden from an account at any time. */
  hiddenCollections: { site: string; id: string }[];
  accepted: AcceptedFact[];
  confirmed: ConfirmedFact[];
  collectionReads: CollectionReadFact[];
  decisions: DecisionFact[];
  /** What a program did although it must never do so. */
  faults: { atMs: number; event: string; text: string }[];
  lives: { number: number; site: string; fromMs: number; toMs: number | null }[];
  /** `early`: before the daily sweep, which finds the changes that `modified_on` does not show. */
  final: { atMs: number; accounts: FinalAccount[]; early: FinalAccount[]; integrity: string[] };
}

export function emptyEditHistory(scenario: EditScenario): EditHistory {
  return {
    scenario,
    requests: [],
    effects: [],
    collectionEffects: [],
    seen: [],
    seenCollections: [],
    hiddenCollections: [],
    accepted: [],
    confirmed: [],
    collectionReads: [],
    decisions: [],
    faults: [],
    lives: [],
    final: { atMs: 0, accounts: [], early: [], integrity: [] },
  };
}
