import { describe, expect, test } from 'vitest';
import {
  ALL_PERMISSIONS,
  addPermissions,
  bit,
  closed,
  dependenciesOf,
  isPermission,
  maskOf,
  namesOf,
  PERMISSIONS,
  type Permission,
  removePermissions,
} from '../../../shared/api/permission-sets.ts';

/** Every row of the dependency table with the transitive closure worked out by hand. */
const NEEDS: Record<Permission, Permission[]> = {
  'admin-panel-access': [],
  'collection-create': ['collection-read'],
  'collection-delete': ['collection-read'],
  'collection-move': ['collection-create', 'collection-delete', 'collection-update', 'collection-read'],
  'collection-read': [],
  'collection-share': ['collection-update', 'collection-read'],
  'collection-update': ['collection-read'],
  'comment-create': ['comment-read', 'media-read', 'collection-read'],
  'comment-delete': ['comment-read', 'media-read', 'collection-read'],
  'comment-read': ['media-read', 'collection-read'],
  'comment-update': ['comment-read', 'media-read', 'collection-read'],
  'media-create': ['media-read', 'collection-read'],
  'media-delete': ['media-update', 'media-read', 'collection-read', 'admin-panel-access'],
  'media-download': ['media-read', 'collection-read'],
  'media-like': ['media-read', 'collection-read'],
  'media-play': ['media-read', 'collection-read'],
  'media-publish': ['media-create', 'media-read', 'collection-read'],
  'media-read': ['collection-read'],
  'media-update': ['media-read', 'collection-read', 'admin-panel-access'],
};

test('the table has the nineteen permissions of the API', () => {
  expect(PERMISSIONS).toHaveLength(19);
  expect(Object.keys(NEEDS).sort()).toEqual([...PERMISSIONS].sort());
});

describe.each(Object.entries(NEEDS) as [Permission, Permission[]][])('%s', (name, needs) => {
  test('has exactly the dependencies of the table, direct and indirect', () => {
    expect(namesOf(dependenciesOf(name)).sort()).toEqual([...needs].sort());
  });

  test('is added together with all its dependencies', () => {
    expect(namesOf(addPermissions(0, maskOf([name, ...needs]))).sort()).toEqual([name, ...needs].sort());
  });

  test('is not added when any dependency is missing', () => {
    for (const absent of needs) {
      const rest = needs.filter((each) => each !== absent);
      expect(namesOf(addPermissions(0, maskOf([name, ...rest])))).not.toContain(name);
    }
  });

  test('is removed together with exactly what depends on it', () => {
    const dependants = PERMISSIONS.filter((each) => NEEDS[each].includes(name));
    const left = namesOf(removePermissions(ALL_PERMISSIONS, bit(name)));
    expect(left.sort()).toEqual(PERMISSIONS.filter((each) => each !== name && !dependants.includes(each)).sort());
  });
});

test('adding the dependencies of a set twice changes nothing more, for every pair of permissions', () => {
  for (const a of PERMISSIONS) {
    for (const b of PERMISSIONS) {
      const once = closed(maskOf([a, b]));
      expect(closed(once)).toBe(once);
    }
  }
});

test('an unknown name is neither accepted nor counted', () => {
  expect(isPermission('media-destroy')).toBe(false);
  expect(maskOf(['media-destroy'])).toBe(0);
});
