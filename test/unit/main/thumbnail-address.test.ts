import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findThumbnail } from '../../../electron/main/asset-lookup.ts';
import { thumbnailPath } from '../../../shared/contract/thumbnail-address.ts';

const ORIGIN = 'app://mediadesk';

describe('the address of a thumbnail', () => {
  it('is encoded and decoded without loss for any id', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '.', 'a/b', '../../x', '%2e%2e', '\0', ' '),
    );
    const subjects = fc.constantFrom('media' as const, 'collections' as const, 'users' as const);
    fc.assert(
      fc.property(text, text, text, subjects, fc.boolean(), (site, media, version, subject, isStored) => {
        // Pictures of users are not stored.
        const isStoredOnly = isStored && subject !== 'users';
        const wellFormed = (value: string) => value.toWellFormed();
        const ref = { siteId: `s${site}`, id: `m${media}`, version, subject, isStoredOnly };
        const found = findThumbnail(`${ORIGIN}${thumbnailPath(ref)}?change=3`);
        expect(found).toEqual({
          subject,
          isStoredOnly,
          siteId: wellFormed(ref.siteId),
          id: wellFormed(ref.id),
          version: wellFormed(version),
        });
      }),
    );
  });

  it.each([
    'app://mediadesk/index.html',
    'app://mediadesk/thumbnails/',
    'app://mediadesk/thumbnails/_media/_a/_b',
    'app://mediadesk/thumbnails/_media/_a/_b/_c/.d',
    'app://mediadesk/thumbnails/media/a/b/c',
    'app://mediadesk/thumbnails/_groups/_a/_b/_c',
    'app://mediadesk/thumbnails/_stored-users/_a/_b/_c',
    'app://mediadesk/thumbnails/_constructor/_a/_b/_c',
    'app://mediadesk/thumbnails/_media/_a/./_c',
    'app://mediadesk/thumbnails/../../etc/passwd',
    'app://mediadesk/thumbnails/_media/_a/_%E0%A4%A/_c',
    'app://elsewhere/thumbnails/_media/_a/_b/_c',
    'app://user@mediadesk/thumbnails/_media/_a/_b/_c',
    'https://mediadesk/thumbnails/_media/.a/.b/.c',
    `app://mediadesk/thumbnails/_media/_a/_${'b'.repeat(2000)}/_c`,
    'not an address',
  ])('is not %s', (address) => {
    expect(findThumbnail(address)).toBeNull();
  });
});
