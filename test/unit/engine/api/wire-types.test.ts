import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectionTreeSchema } from '../../../../shared/api/collections.ts';
import { mediaFileSchema } from '../../../../shared/api/files.ts';
import { mediaItemSchema } from '../../../../shared/api/media.ts';
import { tokenResponseSchema } from '../../../../shared/api/oauth.ts';
import { listEnvelope } from '../../../../shared/api/wire.ts';

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

describe('a tree of collections', () => {
  it('skips an invalid node, and keeps its siblings', () => {
    const children = [{ id: null }, { id: 2, display_name: 'Physics' }];
    expect(collectionTreeSchema.parse({ root: { id: '1', children } }).root.children.map(({ id }) => id)).toEqual([
      '2',
    ]);
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
