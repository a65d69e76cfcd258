// Every set of the 19 permissions, held against a fixpoint over the direct dependencies that is written here on its own.
import { describe, expect, it } from 'vitest';
import { bit, closed, maskOf } from '../../../../shared/api/permission-sets.ts';
import { PERMISSION_DEPENDENCIES, PERMISSIONS } from '../../../../shared/api/permissions.ts';
import {
  lackingOf,
  needingOf,
  switchedOff,
  switchedOn,
  switchPermission,
  unknownOf,
  withNeededPermissions,
} from '../../../../shared/model/access/role-draft.ts';

const SETS = 2 ** PERMISSIONS.length;
/** The direct dependencies of each permission, by index. */
const DIRECT = PERMISSIONS.map((name) => {
  let mask = 0;
  for (const needed of PERMISSION_DEPENDENCIES[name]) mask += 2 ** PERMISSIONS.indexOf(needed);
  return mask;
});

/** The smallest set that contains this one and, with each permission, all its direct dependencies. */
function upwards(set: number): number {
  let now = set;
  for (;;) {
    let next = now;
    for (let index = 0; index < DIRECT.length; index++) if ((next >> index) & 1) next |= DIRECT[index] ?? 0;
    if (next === now) return now;
    now = next;
  }
}

/** The largest set within this one in which each permission has all its direct dependencies. */
function downwards(set: number): number {
  let now = set;
  for (;;) {
    let next = now;
    for (let index = 0; index < DIRECT.length; index++) {
      const needs = DIRECT[index] ?? 0;
      if ((next >> index) & 1 && (next & needs) !== needs) next -= 2 ** index;
    }
    if (next === now) return now;
    now = next;
  }
}

describe('for every set of permissions', () => {
  it('names exactly what the set lacks, and the library keeps exactly what lacks nothing', () => {
    const wrong: number[] = [];
    for (let set = 0; set < SETS && wrong.length < 5; set++) {
      if (lackingOf(set) !== (upwards(set) & ~set) || closed(set) !== downwards(set)) wrong.push(set);
    }
    expect(wrong).toEqual([]);
  });

  it('switches a permission on with exactly all that it depends on, and off with exactly all that depends on it', () => {
    const all = SETS - 1;
    const adds = PERMISSIONS.map((_, index) => upwards(2 ** index));
    const removes = PERMISSIONS.map((_, index) => all & ~downwards(all - 2 ** index));
    const wrong: string[] = [];
    for (const [index, name] of PERMISSIONS.entries()) {
      const [add, remove] = [adds[index] ?? 0, removes[index] ?? 0];
      for (let set = 0; set < SETS && wrong.length < 5; set++) {
        if (switchedOn(set, name) !== (set | add) || switchedOff(set, name) !== (set & ~remove)) {
          wrong.push(`${name} ${set}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a role', () => {
  it('says what is switched on and off with a permission', () => {
    expect(switchPermission([], 'media-update', true)).toEqual({
      permissions: ['admin-panel-access', 'collection-read', 'media-read', 'media-update'],
      also: ['admin-panel-access', 'collection-read', 'media-read'],
    });
    expect(
      switchPermission(['admin-panel-access', 'media-update', 'media-delete'], 'admin-panel-access', false),
    ).toEqual({
      permissions: [],
      also: ['media-delete', 'media-update'],
    });
  });

  it('keeps permissions that this program does not know', () => {
    const held = ['collection-read', 'media-teleport'];
    expect(switchPermission(held, 'media-read', true).permissions).toEqual([
      'collection-read',
      'media-read',
      'media-teleport',
    ]);
    expect(switchPermission(held, 'collection-read', false).permissions).toEqual(['media-teleport']);
    expect(unknownOf(held)).toEqual(['media-teleport']);
  });

  it('is not repaired when another permission is switched, and completed only on request', () => {
    const held = ['comment-read'];
    const { permissions, also } = switchPermission(held, 'admin-panel-access', true);
    expect(permissions).toEqual(['admin-panel-access', 'comment-read']);
    expect(also).toEqual([]);
    expect(lackingOf(maskOf(permissions))).toBe(bit('collection-read') | bit('media-read'));
    expect(needingOf(maskOf(permissions))).toEqual(['comment-read']);
    expect(withNeededPermissions(held)).toEqual(['collection-read', 'comment-read', 'media-read']);
  });
});
