import { describe, expect, it } from 'vitest';
import {
  decideItem,
  type ItemCandidate,
  type OpenCreation,
} from '../../../../../electron/engine/uploads/delivery/items/item-candidates.ts';

const creation = (id: string, title = 'Lecture 7', changes: Partial<OpenCreation> = {}): OpenCreation => ({
  id,
  title,
  intendedAt: Number(id),
  isRunning: false,
  ...changes,
});
const item = (id: string, title = 'Lecture 7', changes: Partial<ItemCandidate> = {}): ItemCandidate => ({
  id,
  title,
  createdOn: `2026-01-01T00:00:0${id}Z`,
  isNear: true,
  ...changes,
});
const decide = (mine: OpenCreation, others: OpenCreation[], candidates: ItemCandidate[]) =>
  decideItem(
    mine,
    others,
    candidates,
    candidates.map(({ title }) => title),
  );

describe('the search for the item of an upload', () => {
  it('finds the item with its title', () => {
    expect(decide(creation('1'), [], [item('5')])).toEqual({ kind: 'adopt', mediaId: '5' });
  });

  it('prefers the item with exactly its title to a similar one', () => {
    const candidates = [item('5', 'LECTURE 7'), item('6')];
    expect(decide(creation('1'), [], candidates)).toEqual({ kind: 'adopt', mediaId: '6' });
  });

  it('needs a decision when several items fit equally', () => {
    const candidates = [item('5'), item('6')];
    expect(decide(creation('1'), [], candidates)).toEqual({ kind: 'ask', candidates });
  });

  it('assigns items in order among uploads with equally fitting titles', () => {
    const [one, two, three] = [creation('1'), creation('2'), creation('3')];
    const candidates = [item('7'), item('5'), item('6')];
    expect(decide(one, [two, three], candidates)).toEqual({ kind: 'adopt', mediaId: '5' });
    expect(decide(two, [three, one], candidates)).toEqual({ kind: 'adopt', mediaId: '6' });
    expect(decide(three, [one, two], candidates)).toEqual({ kind: 'adopt', mediaId: '7' });
    expect(decide(three, [one, two], [item('5')])).toEqual({ kind: 'adopt', mediaId: '5' });
  });

  it('needs a decision when there are more items than uploads', () => {
    const candidates = [item('5'), item('6'), item('7')];
    expect(decide(creation('1'), [creation('2')], candidates)).toMatchObject({ kind: 'ask' });
  });

  it('ignores an item that fits another upload better', () => {
    const mine = creation('1', 'lecture seven');
    const other = creation('2', 'Lecture Seven');
    const candidates = [item('5', 'Lecture Seven'), item('6', 'lecture seven')];
    expect(decide(mine, [other], candidates)).toEqual({ kind: 'adopt', mediaId: '6' });
    expect(decide(mine, [other], candidates.slice(0, 1))).toEqual({ kind: 'none' });
  });

  it('waits while the creation of an item with an equal title is in flight', () => {
    expect(decide(creation('1'), [creation('2', 'Lecture 7', { isRunning: true })], [item('5')])).toEqual({
      kind: 'wait',
    });
  });

  it('does not wait for the creation of another title', () => {
    const running = creation('2', 'Something else', { isRunning: true });
    expect(decide(creation('1'), [running], [item('5')])).toEqual({ kind: 'adopt', mediaId: '5' });
  });

  it('needs a decision for an unexplained title when no other creation is unanswered', () => {
    const candidates = [item('5', 'Untitled')];
    expect(decide(creation('1'), [], candidates)).toEqual({ kind: 'ask', candidates });
    const running = creation('2', 'Something else', { isRunning: true });
    expect(decide(creation('1'), [running], candidates)).toEqual({ kind: 'wait' });
  });

  it('needs a decision when the title matches and the time does not', () => {
    const candidates = [item('5', 'Lecture 7', { isNear: false })];
    expect(decide(creation('1'), [], candidates)).toEqual({ kind: 'ask', candidates });
    expect(decide(creation('1'), [], [item('5', 'Untitled', { isNear: false })])).toEqual({ kind: 'none' });
    expect(decide(creation('1'), [], [...candidates, item('6')])).toEqual({ kind: 'adopt', mediaId: '6' });
  });
});
