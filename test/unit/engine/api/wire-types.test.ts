import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectionTreeSchema, treeNodes } from '../../../../shared/api/collections.ts';
import { mediaFileSchema } from '../../../../shared/api/files.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';
import { tokenResponseSchema } from '../../../../shared/api/oauth.ts';
import { idSchema, listEnvelope } from '../../../../shared/api/wire.ts';

const FILE = { id: '5', status: 'complete', size: 900 };

describe('a resource', () => {
  it('is read without an informational field that is invalid', () => {
    const file = mediaFileSchema.parse({
      ...FILE,
      height: 'tall',
      links: [],
      container: 7,
      encodings: [{ id: null }, 'hd'],
    });
    expect(file).toMatchObject({ id: '5', size: 900, height: null, links: {}, container: null, encodings: [] });
  });

  it('is invalid without its id or its state', () => {
    expect(mediaFileSchema.safeParse({ ...FILE, id: null }).success).toBe(false);
    expect(mediaFileSchema.safeParse({ ...FILE, status: 3 }).success).toBe(false);
    expect(mediaItemSchema.safeParse({ id: '5', status: 'draft' }).success).toBe(false);
  });

  it('accepts numbers written as text where a number is expected', () => {
    expect(mediaFileSchema.parse({ ...FILE, size: '4096' }).size).toBe(4096);
    for (const size of ['4 KB', '', '0x10', 'NaN', '1e3', true]) {
      expect(mediaFileSchema.parse({ ...FILE, size }).size).toBeNull();
    }
  });

  it('has its known states in lower case and keeps unknown ones', () => {
    expect(mediaFileSchema.parse({ ...FILE, status: 'COMPLETE' }).status).toBe('complete');
    expect(mediaFileSchema.parse({ ...FILE, status: 'On Hold' }).status).toBe('On Hold');
  });

  it('accepts links written as objects', () => {
    const links = { self: { href: '/api2/x' }, next: null, others: [] };
    expect(mediaFileSchema.parse({ ...FILE, links }).links).toEqual({ self: '/api2/x', next: null, others: null });
  });
});

describe('a list', () => {
  const list = listEnvelope(z.unknown());

  it.each([[null], [undefined], [''], [false]])('ends when its link to the next page is %j', (next) => {
    expect(list.parse({ items: [], links: { next } }).links.next).toBeNull();
  });

  it.each([[7], [true], [{}], [[]]])('is invalid, not complete, when its link to the next page is %j', (next) => {
    expect(list.safeParse({ items: [], links: { next } }).success).toBe(false);
  });

  it('is invalid when its links are not an object', () => {
    expect(list.safeParse({ items: [], links: ['/api2/media?_p=2'] }).success).toBe(false);
  });
});

describe('an item', () => {
  it('has at most 10,000 characters of an endless title, and no half of a surrogate pair', () => {
    const item = { id: '1', type: 'video', status: 'draft', collection_id: '1', links: {} };
    const { title } = mediaItemSchema.parse({ ...item, title: `${'x'.repeat(9999)}\u{1f600}${'y'.repeat(1e7)}` });
    expect(title).toBe(`${'x'.repeat(9999)}\ufffd`);
  });

  it.each([['\ud800'], ['a\udc00b'], ['x'.repeat(1001)]])(
    'is unreadable with the id %j, which no address can contain',
    (id) => {
      expect(idSchema.safeParse(id).success).toBe(false);
    },
  );
});

describe('a tree of collections', () => {
  const nodesOf = (root: object) => [...treeNodes(collectionTreeSchema.parse({ root }).root)];

  it('skips an invalid node, and keeps its siblings', () => {
    const children = [{ id: null }, { id: 2, display_name: 'Physics' }];
    const [, ...below] = nodesOf({ id: '1', children });
    expect(below).toMatchObject([{ id: '2', parent_id: '1' }]);
  });

  it('is read when it is 20,000 levels deep', () => {
    let root: object = { id: '20000' };
    for (let level = 20_000 - 1; level > 0; level -= 1) root = { id: String(level), children: [root] };
    expect(nodesOf(root).at(-1)).toMatchObject({ id: '20000', parent_id: '19999' });
  });

  it('names the field of an unreadable root', () => {
    const { error } = collectionTreeSchema.safeParse({ root: { display_name: 'no id' } });
    expect(error?.issues[0]?.path).toEqual(['root', 'id']);
  });

  it('leaves out an invalid node with all below it', () => {
    const hidden = { id: '2', children: 'hidden' };
    const nameless = { id: null, children: [{ id: '3' }] };
    expect(nodesOf({ id: '1', children: [hidden, nameless] })).toMatchObject([{ id: '1', parent_id: null }]);
  });

  it('is invalid, not empty, when children are not a list', () => {
    expect(collectionTreeSchema.safeParse({ root: { id: '1', children: 'hidden' } }).success).toBe(false);
  });
});

describe('a token response', () => {
  it.each([['never'], [null], [undefined], [{}]])('is valid for one hour when its lifetime is %j', (expires_in) => {
    expect(tokenResponseSchema.parse({ access_token: 'a', expires_in }).expires_in).toBe(3600);
  });

  it('is invalid without its access token', () => {
    expect(tokenResponseSchema.safeParse({ refresh_token: 'b' }).success).toBe(false);
  });
});
