import { describe, expect, it } from 'vitest';
import { mediaRight, ownUntil } from '../../../shared/model/media-rights.ts';

const CREATED = Date.parse('2031-05-06T07:00:00Z');
const HOUR = 3_600_000;
const item = (status: string) => ({ created_on: '2031-05-06T07:00:00Z', status });
const may = (...permissions: string[]) => new Set(['media-read', ...permissions]);

describe('the right to change an item', () => {
  it.each([
    ['edit', 'media-update'],
    ['delete', 'media-delete'],
    ['publish', 'media-publish'],
  ] as const)('by “%s” needs the permission %s', (action, permission) => {
    expect(mediaRight(action, item('published'), may(permission), CREATED + 9 * HOUR)).toBe('allowed');
    expect(mediaRight(action, item('draft'), may(), CREATED)).toBe('missing');
  });

  it('lasts three hours, inclusive, for own items that are not published, and never includes publishing', () => {
    expect(mediaRight('edit', item('draft'), may('media-create'), CREATED + 3 * HOUR)).toBe('if-own');
    expect(mediaRight('delete', item('scheduled'), may('media-create'), CREATED + 3 * HOUR + 1)).toBe('window-over');
    expect(mediaRight('edit', item('published'), may('media-create'), CREATED)).toBe('window-over');
    expect(mediaRight('publish', item('draft'), may('media-create'), CREATED)).toBe('missing');
  });

  it('has no known end when the time of creation is unknown', () => {
    expect(ownUntil({ created_on: null, status: 'draft' }, CREATED)).toBeNull();
    expect(ownUntil(item('draft'), CREATED)).toBe(CREATED + 3 * HOUR);
  });
});
