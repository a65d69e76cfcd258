import { describe, expect, it } from 'vitest';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';

describe('the tags of the mirror', () => {
  it('are found by any part, without case and accents: beginnings first, then the most frequent', async () => {
    const desk = await MirrorDesk.open();
    desk.library.add('one', { tags: ['Optics', 'Café'] });
    desk.library.add('two', { tags: ['optics', 'field trip'] });
    const id = desk.library.add('three', { tags: ['trip'] });
    await desk.pass();
    expect(desk.mirrors.tags(SITE, '', 2)).toEqual([
      { tag: 'Optics', items: 2 },
      { tag: 'Café', items: 1 },
    ]);
    expect(desk.mirrors.tags(SITE, 'cafe', 10)).toEqual([{ tag: 'Café', items: 1 }]);
    expect(desk.mirrors.tags(SITE, 'TRIP', 10).map(({ tag }) => tag)).toEqual(['trip', 'field trip']);
    desk.mirrors.setOverlay(SITE, id, { tags: ['trip to Rome'] });
    expect(desk.mirrors.tags(SITE, 'trip', 10).map(({ tag }) => tag)).toEqual(['trip to Rome', 'field trip']);
  });
});
