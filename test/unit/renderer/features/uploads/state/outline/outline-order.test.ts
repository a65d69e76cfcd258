import { describe, expect, it } from 'vitest';
import {
  arrangedOrder,
  keptOrder,
  outlineGroupOf,
} from '../../../../../../../renderer/features/uploads/state/outline/outline-order.ts';
import type { ListedBatch } from '../../../../../../../shared/contract/uploads.ts';

const batch = (id: string, addedAt: number, counts: Record<string, number>, duplicates = 0) =>
  ({ id, addedAt, listed: { counts, duplicates } }) as unknown as ListedBatch;

const active = batch('active', 1, { sending: 1, complete: 5 });
const later = batch('later', 4, { queued: 2 });
const failed = batch('failed', 2, { failed: 1, complete: 1 });
const asking = batch('asking', 5, { failed: 1 }, 1);
const over = batch('over', 3, { complete: 9, skipped: 2 });

describe('the order of batches', () => {
  it('begins with batches in progress, then those that failed or need a decision, the newest first in each group', () => {
    expect([active, failed, asking, over].map(outlineGroupOf)).toEqual(['active', 'attention', 'attention', 'over']);
    expect(arrangedOrder([asking, later, over, failed, active])).toEqual([
      'later',
      'active',
      'asking',
      'failed',
      'over',
    ]);
  });

  it('stays when a batch ends, so that no row moves away under the pointer', () => {
    const order = arrangedOrder([later, active, over]);
    const ended = batch('later', 4, { complete: 2 });
    expect(keptOrder(order, [ended, active, over])).toEqual(order);
    expect(arrangedOrder([ended, active, over])).not.toEqual(order);
  });

  it('adds a new batch at its sorted position, and excludes a cleared batch', () => {
    const order = ['active', 'failed', 'over'];
    expect(keptOrder(order, [later, active, failed, over])).toEqual(['later', 'active', 'failed', 'over']);
    expect(keptOrder(order, [asking, active, failed, over])).toEqual(['active', 'asking', 'failed', 'over']);
    expect(keptOrder(order, [active, over])).toEqual(['active', 'over']);
    expect(keptOrder([], [later, over])).toEqual(['later', 'over']);
  });
});
