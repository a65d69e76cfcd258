import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findThumbnail } from '../../../electron/main/asset-lookup.ts';
import { thumbnailPath } from '../../../shared/contract/thumbnail-address.ts';

const ORIGIN = 'app://mediadesk';

describe('the address of a thumbnail', () => {
  it('names the item again after every way through a browser, whatever its id is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '.', 'a/b', '../../x', '%2e%2e', '\0', ' '),
    );
    fc.assert(
      fc.property(text, text, text, (site, media, version) => {
        const wellFormed = (value: string) => value.toWellFormed();
        const ref = { siteId: `s${site}`, mediaId: `m${media}`, version };
        const found = findThumbnail(`${ORIGIN}${thumbnailPath(ref)}?change=3`);
        expect(found).toEqual({
          siteId: wellFormed(ref.siteId),
          mediaId: wellFormed(ref.mediaId),
          version: wellFormed(version),
        });
      }),
    );
  });

  it.each([
    'app://mediadesk/index.html',
    'app://mediadesk/thumbnails/',
    'app://mediadesk/thumbnails/_a/_b',
    'app://mediadesk/thumbnails/_a/_b/_c/.d',
    'app://mediadesk/thumbnails/a/b/c',
    'app://mediadesk/thumbnails/_a/./_c',
    'app://mediadesk/thumbnails/../../etc/passwd',
    'app://mediadesk/thumbnails/_a/_%E0%A4%A/_c',
    'app://elsewhere/thumbnails/_a/_b/_c',
    'app://user@mediadesk/thumbnails/_a/_b/_c',
    'https://mediadesk/thumbnails/.a/.b/.c',
    `app://mediadesk/thumbnails/_a/_${'b'.repeat(2000)}/_c`,
    'not an address',
  ])('is not %s', (address) => {
    expect(findThumbnail(address)).toBeNull();
  });
});
