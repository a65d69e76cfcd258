import { describe, expect, it } from 'vitest';
import type { EditRecord } from '../../../../electron/engine/edits/journal/edit-row.ts';
import { afterReplay, openOpsOf, rebaseOnItem } from '../../../../electron/engine/edits/replay/record-replay.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { fingerprintOf } from '../../../../shared/model/edits/canonical.ts';
import type { AnyOp } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditOp, editableOf } from '../../../../shared/model/edits/edit-ops.ts';

const item: MediaItem = {
  id: '7',
  type: 'video',
  status: 'draft',
  title: 'Talk',
  collection_id: '1',
  publish_on: null,
  created_on: '2026-01-01T00:00:00Z',
  modified_on: '2026-01-01T00:00:00Z',
  byline: 'Ada',
  duration: 1,
  duration_hms: '00:00:01',
  comments_count: 0,
  likes_count: 0,
  views_count: 0,
  links: {},
  tags: [],
  description: '',
  description_plain: '',
};
const setTitle = (base: string, mine: string): EditOp => ({ kind: 'set-field', v: 1, field: 'title', base, mine });

function recordOf(seq: number, op: EditOp): EditRecord {
  return {
    seq,
    groupSeq: seq,
    siteId: 's',
    entityKind: 'media',
    entityId: '7',
    name: 'Talk',
    state: 'pending',
    ops: [{ op, outcome: null }],
    error: null,
    retries: 0,
    nextAt: null,
    sentAt: 1,
    createdAt: 1,
    endedAt: null,
  };
}

/** The op of a later record after a title was sent and the item was read again as `after`. */
function laterOp(later: EditOp, after: Partial<MediaItem>): AnyOp | undefined {
  const records = [recordOf(1, setTitle('Talk', 'Mine'))];
  const replay = {
    results: new Map([[0, { outcome: 'sent' as const, wrote: 'Mine' }]]),
    after: { ...item, title: 'Mine', ...after },
    before: item,
    failure: null,
  };
  const context = {
    behind: [recordOf(2, later)],
    rebase: rebaseOnItem(replay),
    isUndo: () => false,
    wasSent: () => false,
    now: 5,
  };
  const changes = afterReplay(records, openOpsOf(records), replay, context);
  return changes.find(({ after: { seq } }) => seq === 2)?.after.ops?.[0]?.op;
}

describe('an edit that was made while an earlier one of the item was sent', () => {
  it('deletes the item without a question when only the earlier edit changed it', () => {
    const op = laterOp({ kind: 'delete', v: 1, base: fingerprintOf(editableOf(item)) }, {});
    expect(op).toMatchObject({ kind: 'delete', base: fingerprintOf(editableOf({ ...item, title: 'Mine' })) });
  });

  it('asks before it deletes an item that someone else changed meanwhile', () => {
    const after = { byline: 'Someone else' };
    const op = laterOp({ kind: 'delete', v: 1, base: fingerprintOf(editableOf(item)) }, after);
    const now = fingerprintOf(editableOf({ ...item, title: 'Mine', ...after }));
    expect(op?.kind === 'delete' && op.base).not.toBe(now);
  });

  it('has the value that was sent as its base, not a value that someone else wrote right after it', () => {
    expect(laterOp(setTitle('Mine', 'Mine, later'), { title: 'Theirs' })).toEqual(setTitle('Mine', 'Mine, later'));
  });
});
