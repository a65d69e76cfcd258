import { describe, expect, it } from 'vitest';
import type { SiteClient, SiteRequest } from '../../../../electron/engine/api/http-client.ts';
import { itemSubject } from '../../../../electron/engine/edits/replay/item-subject.ts';
import { replayCollection } from '../../../../electron/engine/edits/replay/replay-collection.ts';
import { replaySubject } from '../../../../electron/engine/edits/replay/replay-subject.ts';
import { netOf, type ReplayTools } from '../../../../electron/engine/edits/replay/subject.ts';
import { collectionSchema } from '../../../../shared/api/collections.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { CollectionOp } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditOp } from '../../../../shared/model/edits/edit-ops.ts';
import { type Coalesced, coalesce } from '../../../../shared/model/edits/fold.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

/** The tools of a replay whose reads return these values one after the other; null: the library does not have it. */
function toolsOf(reads: readonly (object | null)[], request: (asked: SiteRequest) => void, accepted: number[] = []) {
  const left = [...reads];
  const client = {
    serverClock: { now: () => null },
    async read() {
      const value = left.shift();
      if (value == null) throw appError('api.not-found', { details: { outcome: 'refused' } });
      return value;
    },
    async request(asked: SiteRequest) {
      request(asked);
      return { status: 204, headers: {}, body: '' };
    },
  } as unknown as SiteClient;
  const tools: ReplayTools = {
    client,
    signal: new AbortController().signal,
    clock: new ManualClock(),
    sent: new Set(),
    otherBases: new Map(),
    accepted: new Set(accepted),
    onSending: () => {},
    onAccepted: () => {},
  };
  return { tools, readsLeft: () => left.length };
}

function replayOfCollection(ops: readonly CollectionOp[], tools: ReplayTools) {
  return replayCollection('7', ops, {
    ...tools,
    onCreating: () => {},
    onNotCreated: () => {},
    earlier: [],
    isResumed: false,
    knownId: null,
    isOfAnother: () => false,
    others: () => [],
    stopDeleting: tools.signal,
    begunItems: null,
    onBeginDeleting: () => {},
    onDeleted: () => {},
  });
}

const collection = (values: object) => collectionSchema.parse({ id: '7', parent_id: '1', ...values });
const described = (base: string, mine: string): CollectionOp => {
  return { kind: 'set-collection-field', v: 1, field: 'description', base, mine };
};
const nothingIsSent = (asked: SiteRequest) => {
  throw new Error(`sent ${JSON.stringify(asked.json)}`);
};

describe('an accepted edit whose result was not read', () => {
  it('has the form of the library as its value when the library stored the HTML of a collection in its own form', async () => {
    const { tools } = toolsOf([collection({ description: '<h2>Mine</h2>' })], nothingIsSent, [0]);
    const { results } = await replayOfCollection([described('', '<h3>Mine</h3>')], tools);
    expect(results.get(0)).toEqual({ outcome: 'sent', wrote: '<h2>Mine</h2>' });
  });
});

describe('edits of a collection that cancel each other', () => {
  it('end after the collection was read when no request is needed', async () => {
    const { tools, readsLeft } = toolsOf([collection({ description: 'Old' })], nothingIsSent);
    const { results, failure, after } = await replayOfCollection([described('Old', 'A'), described('A', 'Old')], tools);
    expect([readsLeft(), failure, after?.collection.description]).toEqual([0, null, 'Old']);
    expect([...results.values()]).toEqual([{ outcome: 'superseded' }, { outcome: 'superseded' }]);
  });
});

describe('an item that someone deletes between two requests', () => {
  it('has no edit that stays open', async () => {
    const item = mediaItemSchema.parse({ id: '7', title: 'Talk', tags: [], collection_id: '1', status: 'draft' });
    const { tools } = toolsOf([item, null, null], ({ target }) => {
      if (String(target).includes('tags')) throw appError('api.server-error', { details: { outcome: 'refused' } });
    });
    const ops: EditOp[] = [
      { kind: 'set-field', v: 1, field: 'title', base: 'Talk', mine: 'Mine' },
      { kind: 'add-tag', v: 1, tag: 'one' },
    ];
    const net = netOf<EditOp, Coalesced>(ops, coalesce, tools);
    const { failure, results } = await replaySubject(itemSubject('7', { ...tools, userId: null }), net, tools);
    expect(failure).toMatchObject({ error: { code: 'edit.item-gone' }, positions: [0, 1] });
    expect(results.size).toBe(0);
  });
});
