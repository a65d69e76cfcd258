// An item that one side edits offline while the other side changes, creates, deletes, or hides it: every pair, and its exit.
import type { PassedReply, PassedRequest } from '../wire/changing-proxy.ts';

/**
 * One item, seen from both sides. `created`: here, this computer has just read it and no pass has listed it; there,
 * someone creates it after the last pass. `hidden`: the account may not see it, here since before, there from now on.
 */
export const STATES = ['unchanged', 'changed', 'created', 'deleted', 'hidden'] as const;
export type State = (typeof STATES)[number];

/** How it ends: what the library has, what lists here show, and the question or refusal on the way with its answer. */
export interface Exit {
  library: string | null;
  listed: string | null;
  asks?: 'edit.conflict' | 'edit.deletion-asks' | 'edit.item-gone' | 'api.forbidden';
  answer?: 'mine' | 'theirs' | 'drop' | 'show and retry';
}

/** [here, there, exit]. `null`: the item is not there. */
export const MATRIX: readonly [State, State, Exit][] = [
  ['unchanged', 'unchanged', { library: 'Talk', listed: 'Talk' }],
  ['unchanged', 'changed', { library: 'Theirs', listed: 'Theirs' }],
  ['unchanged', 'created', { library: 'Talk', listed: 'Talk' }],
  ['unchanged', 'deleted', { library: null, listed: null }],
  ['unchanged', 'hidden', { library: 'Talk', listed: null }],

  ['changed', 'unchanged', { library: 'Mine', listed: 'Mine' }],
  ['changed', 'changed', { library: 'Mine', listed: 'Mine', asks: 'edit.conflict', answer: 'mine' }],
  ['changed', 'changed', { library: 'Theirs', listed: 'Theirs', asks: 'edit.conflict', answer: 'theirs' }],
  ['changed', 'created', { library: 'Mine', listed: 'Mine' }],
  ['changed', 'deleted', { library: null, listed: null, asks: 'edit.item-gone', answer: 'drop' }],
  ['changed', 'hidden', { library: 'Talk', listed: null, asks: 'api.forbidden', answer: 'drop' }],
  ['changed', 'hidden', { library: 'Mine', listed: 'Mine', asks: 'api.forbidden', answer: 'show and retry' }],

  ['created', 'unchanged', { library: 'Talk', listed: 'Talk' }],
  ['created', 'changed', { library: 'Theirs', listed: 'Theirs' }],
  ['created', 'created', { library: 'Talk', listed: 'Talk' }],
  ['created', 'deleted', { library: null, listed: null }],
  ['created', 'hidden', { library: 'Talk', listed: null }],

  ['deleted', 'unchanged', { library: null, listed: null }],
  ['deleted', 'changed', { library: null, listed: null, asks: 'edit.deletion-asks', answer: 'mine' }],
  ['deleted', 'changed', { library: 'Theirs', listed: 'Theirs', asks: 'edit.deletion-asks', answer: 'theirs' }],
  ['deleted', 'created', { library: null, listed: null }],
  ['deleted', 'deleted', { library: null, listed: null }],
  ['deleted', 'hidden', { library: 'Talk', listed: null, asks: 'api.forbidden', answer: 'drop' }],

  ['hidden', 'unchanged', { library: 'Talk', listed: 'Talk' }],
  ['hidden', 'changed', { library: 'Theirs', listed: 'Theirs' }],
  ['hidden', 'created', { library: 'Talk', listed: 'Talk' }],
  ['hidden', 'deleted', { library: null, listed: null }],
  ['hidden', 'hidden', { library: 'Talk', listed: null }],
];

/** Answers as a library does whose items the account may not see: not in lists, not in counts, refused by id. */
export function withoutItems(hidden: ReadonlySet<string>) {
  return (reply: PassedReply, { url, method }: PassedRequest): PassedReply => {
    const path = url.split('?')[0] ?? '';
    const itemId = /^\/api2\/media\/(\d+)/.exec(path)?.[1];
    if (itemId !== undefined && hidden.has(itemId)) {
      return { ...reply, status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"No."}' };
    }
    if (method !== 'GET' || reply.status !== 200) return reply;
    if (path === '/api2/media/count') {
      const { count } = JSON.parse(reply.body) as { count: number };
      return { ...reply, body: JSON.stringify({ count: count - hidden.size }) };
    }
    if (path !== '/api2/media') return reply;
    const list = JSON.parse(reply.body) as { items: { id: string }[] };
    return { ...reply, body: JSON.stringify({ ...list, items: list.items.filter(({ id }) => !hidden.has(id)) }) };
  };
}
