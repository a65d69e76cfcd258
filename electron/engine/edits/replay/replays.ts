import type { Collection } from '../../../../shared/api/collections.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import { isCollectionOp } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditableMedia, type EditOp, editableOf } from '../../../../shared/model/edits/edit-ops.ts';
import { type Coalesced, coalesce } from '../../../../shared/model/edits/fold.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { SentCreation } from '../../library/collections/create-collection-once.ts';
import type { DeletionProgress } from '../../library/collections/deletion-progress.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EditJournal } from '../journal/edit-journal.ts';
import { begunItemsOf, type EditRecord, type EntityKind, sentCreationsOf } from '../journal/edit-row.ts';
import type { AttemptNotes } from './attempt-notes.ts';
import { itemSubject } from './item-subject.ts';
import {
  acceptedOf,
  type OpenOp,
  otherBasesByPosition,
  type Rebase,
  rebaseOnCollection,
  rebaseOnItem,
  sentBefore,
  sentOps,
  withWritten,
} from './record-replay.ts';
import { replayCollection } from './replay-collection.ts';
import { replaySubject } from './replay-subject.ts';
import { netOf, type Replay, type ReplayTools, type SubjectReplay } from './subject.ts';

export interface ReplaysTools {
  journal: EditJournal;
  clock: Clock;
  mirrors: Mirrors;
  /** The library's identifier of the user of an account; null when the library did not report it. */
  userIdOf(siteId: string): string | null;
  /** Edits of an item were sent: returns its values with these edits applied. */
  onWritten(siteId: string, entityId: string, change: (values: EditableMedia) => EditableMedia): void;
  /** An item was read after its edits were sent; null: the library does not have it any more. */
  onRead(siteId: string, entityId: string, item: MediaItem | null): void;
  deletions: DeletionProgress;
  /** A collection was read after its edits were sent. `collection` null: unknown, or no longer in the library. */
  onCollectionRead(siteId: string, collectionId: string, read: ReadCollection): void;
}

/** The values of a collection that a replay read; `podcast` null: its details were not read. */
export interface ReadCollection {
  collection: Collection | null;
  podcast: PodcastDetails | null;
  isGone: boolean;
}

/** One item or collection, with the open edits that are sent together. */
export interface Sending {
  /** The key of the item or collection. */
  id: string;
  siteId: string;
  entityKind: EntityKind;
  entityId: string;
  records: readonly EditRecord[];
  /** The ops of these records that are still open. */
  open: readonly OpenOp[];
}

/** The result of one attempt to send edits. */
export interface Sent {
  replay: Replay;
  /** The rebase of later edits of the same item or collection; null: none. */
  rebase: Rebase | null;
  /** The library's id of a collection that was created. */
  created: { siteId: string; localId: string; serverId: string } | null;
  /** Reports what was written and read. To be called once the result is recorded. */
  announce(): void;
}

/** Sends the open edits of one item or collection, and stores the read values in the mirror. */
export class Replays {
  readonly #tools: ReplaysTools;
  readonly #notes: AttemptNotes;
  /**
   * By item or collection: the id of a collection that this process requested and whose creation is not recorded yet; null: the id
   * is unknown.
   */
  readonly #created = new Map<string, string | null>();

  constructor(tools: ReplaysTools, notes: AttemptNotes) {
    this.#tools = tools;
    this.#notes = notes;
  }

  /** Sends edits. Throws only when nothing was sent. */
  send(sending: Sending, client: SiteClient, signal: AbortSignal): Promise<Sent> {
    const { records, open, entityKind } = sending;
    const { clock } = this.#tools;
    const accepted = acceptedOf(records, open);
    const tools: ReplayTools = {
      client,
      signal,
      clock,
      accepted,
      sent: sentBefore(records, open),
      otherBases: otherBasesByPosition(open),
      onAccepted: (positions) => this.#notes.accepted(open, positions),
      onSending: (positions) => {
        const seqs = new Set(positions.map((position) => open[position]?.seq));
        const serverNow = client.serverClock.now() ?? clock.now();
        this.#notes.sending(
          records.filter(({ seq }) => seqs.has(seq)),
          serverNow,
        );
      },
    };
    return entityKind === 'media' ? this.#sendItem(sending, tools) : this.#sendCollection(sending, tools);
  }

  /** The creation of a collection is recorded. */
  noteRecorded({ id }: Pick<Sending, 'id'>): void {
    this.#created.delete(id);
  }

  async #sendItem({ siteId, entityId, open }: Sending, tools: ReplayTools): Promise<Sent> {
    const { mirrors, onRead, onWritten, userIdOf } = this.#tools;
    const ops = open.flatMap(({ op }) => (isCollectionOp(op) ? [] : [op]));
    const { syncWrites } = mirrors.readMoment(siteId);
    const copyOf = () => mirrors.items(siteId, [entityId]).get(entityId);
    const earlier = copyOf();
    const subject = itemSubject(entityId, { ...tools, userId: userIdOf(siteId) });
    const replay = await replaySubject(subject, netOf<EditOp, Coalesced>(ops, coalesce, tools), tools);
    const { after } = replay;
    if (after !== null && !isOutdated(replay, earlier, copyOf())) {
      // The item was read after all requests of this computer, but a sync may have stored a later change since it began.
      mirrors.put(siteId, after, { ...mirrors.readMoment(siteId), syncWrites });
    } else if (after === null && replay.failure === null) mirrors.remove(siteId, entityId);
    const announce = () => {
      const sent = sentOps(open, replay);
      if (sent.length > 0) onWritten(siteId, entityId, (values) => sent.reduce(withWritten, values));
      onRead(siteId, entityId, after);
    };
    return { replay, rebase: rebaseOnItem(replay), created: null, announce };
  }

  async #sendCollection({ id, siteId, entityId, records, open }: Sending, tools: ReplayTools): Promise<Sent> {
    const { journal, deletions, onCollectionRead } = this.#tools;
    deletions.next(siteId);
    const replay = await replayCollection(
      entityId,
      open.flatMap(({ op }) => (isCollectionOp(op) ? [op] : [])),
      {
        ...tools,
        earlier: this.#creationsOf(records),
        isOfAnother: (created) => journal.store.hasCreated(siteId, created, 'collection'),
        others: () => this.#otherCreations(siteId, entityId),
        stopDeleting: deletions.signalOf(siteId),
        begunItems: begunItemsOf(records),
        isResumed: !this.#created.has(id),
        knownId: this.#created.get(id) ?? null,
        onCreating: (attempts) => {
          this.#created.set(id, null);
          this.#notes.creating(records, attempts);
        },
        onNotCreated: (earlier) => this.#notes.notCreated(records, earlier),
        onBeginDeleting: (items) => this.#notes.begunDeleting(records, items),
        onDeleted: (deletedItems, items) => deletions.note(siteId, deletedItems, items),
      },
    );
    const { after, isGone, createdId: serverId } = replay;
    // The id is kept until it is recorded: with a full disk, the next attempt must not create another collection.
    if (serverId !== null) this.#created.set(id, serverId);
    const created = serverId === null ? null : { siteId, localId: entityId, serverId };
    const read = { collection: after?.collection ?? null, podcast: after?.podcast ?? null, isGone };
    const announce = () => onCollectionRead(siteId, serverId ?? entityId, read);
    return { replay, rebase: rebaseOnCollection, created, announce };
  }

  /** Returns the attempts that may have created a collection. */
  #creationsOf(records: readonly EditRecord[]): readonly SentCreation[] {
    const stored = records.flatMap(({ ops }) => ops ?? []).find(({ op }) => op.kind === 'create-collection');
    return stored === undefined ? [] : sentCreationsOf(stored, (id) => this.#tools.journal.idOf(id));
  }

  /** Returns the attempts to create other collections of a library whose results are not known. */
  #otherCreations(siteId: string, entityId: string): readonly SentCreation[] {
    const { journal } = this.#tools;
    const others = journal.store.openOfCollections(siteId).filter((each) => each.entityId !== entityId);
    return others.flatMap((each) => this.#creationsOf([each]));
  }
}

/**
 * Returns whether the mirror has a newer item than a replay that could not read its item again: a sync has changed it since the
 * replay began, to other values than those that the replay read before it sent anything.
 */
function isOutdated(
  { before, isUnread = false }: SubjectReplay<MediaItem>,
  earlier: MediaItem | undefined,
  known: MediaItem | undefined,
): boolean {
  if (!isUnread || before === null || known === undefined) return false;
  if (JSON.stringify(known) === JSON.stringify(earlier)) return false;
  return JSON.stringify(editableOf(known)) !== JSON.stringify(editableOf(before));
}
