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

describe('captions in the mirror', () => {
  const CAPTIONS = { id: '9', type: 'captions', status: 'complete', display_name: 'en.vtt', links: {} };

  /** Ids that a search lists, and how many more may belong to it. */
  function found(desk: MirrorDesk, search: string) {
    const window = desk.mirrors.window(desk.query({ search }), 0, 1000);
    return { ids: window?.rows.map(({ id }) => id), unknown: window?.captionsUnknown ?? 0 };
  }

  async function deskWith(videos: number): Promise<{ desk: MirrorDesk; ids: string[] }> {
    const desk = await MirrorDesk.open();
    const ids = Array.from({ length: videos }, (_, index) => {
      desk.library.now += 60;
      return desk.library.add(`video ${index}`, { tags: index === 0 ? ['first'] : [] });
    });
    desk.library.add('sound', { type: 'audio' });
    await desk.pass();
    return { desk, ids };
  }

  it('neither have nor lack them while they are unknown, and say how many items that concerns', async () => {
    const { desk, ids } = await deskWith(3);
    const sound = String(ids.length + 1);
    expect(found(desk, 'type:video no:captions')).toEqual({ ids: [], unknown: 3 });
    expect(found(desk, 'has:captions')).toEqual({ ids: [], unknown: 3 });
    expect(found(desk, '-has:captions tag:first')).toEqual({ ids: [], unknown: 1 });
    // Captions belong to videos: other types are known to have none.
    expect(found(desk, 'no:captions')).toEqual({ ids: [sound], unknown: 3 });
    expect(found(desk, 'video')).toEqual({ ids, unknown: 0 });
  });

  it('are known after the sweep, which reads lists with files and continues where it stopped', async () => {
    const { desk, ids } = await deskWith(35);
    const [first = '', second = ''] = ids;
    desk.library.files?.set(first, [CAPTIONS]);
    desk.library.files?.set(second, [{ ...CAPTIONS, status: 'error' }]);
    const before = desk.library.requests(/joins=files/).length;
    await desk.readCaptions(() => false);
    expect(desk.library.requests(/joins=files/).length - before).toBe(1);
    expect(found(desk, 'has:captions')).toEqual({ ids: [first], unknown: 25 });
    await desk.restart();
    while (found(desk, 'has:captions').unknown > 0) expect(await desk.readCaptions()).toBeGreaterThan(0);
    expect(found(desk, 'has:captions').ids).toEqual([first]);
    expect(found(desk, 'type:video no:captions').ids).toEqual(ids.slice(1));
    const after = desk.library.requests(/joins=files/).length;
    expect(await desk.readCaptions()).toBe(0);
    expect(desk.library.requests(/joins=files/).length).toBe(after);
  });

  it('of a new video are read with the next pass, and those of all videos again after a day', async () => {
    const { desk, ids } = await deskWith(12);
    await desk.readCaptions();
    const id = desk.library.add('new');
    desk.library.files?.set(id, [CAPTIONS]);
    await desk.pass();
    expect(await desk.readCaptions()).toBe(1);
    expect(found(desk, 'has:captions')).toEqual({ ids: [id], unknown: 0 });
    desk.library.files?.set(ids[3] ?? '', [CAPTIONS]);
    desk.clock.advance(25 * 60 * 60_000);
    expect(await desk.readCaptions()).toBe(1);
    expect(found(desk, 'has:captions').ids).toContain(ids[3]);
  });

  it('stay unknown with a service that adds no files to lists, which is not asked again for an hour', async () => {
    const { desk, ids } = await deskWith(2);
    desk.library.files = null;
    expect(await desk.readCaptions()).toBe(0);
    const asked = desk.library.requests(/joins=files/).length;
    await desk.readCaptions();
    expect(desk.library.requests(/joins=files/).length).toBe(asked);
    // An item that is opened shows its files.
    desk.mirrors.noteCaptions(SITE, ids[0] ?? '', true);
    expect(found(desk, 'has:captions')).toEqual({ ids: [ids[0]], unknown: 1 });
    desk.clock.advance(61 * 60_000);
    await desk.readCaptions();
    expect(desk.library.requests(/joins=files/).length).toBe(asked + 1);
  });

  it('keep what is known when an item is edited here or there', async () => {
    const { desk, ids } = await deskWith(2);
    desk.library.files?.set(ids[0] ?? '', [CAPTIONS]);
    await desk.readCaptions();
    desk.library.now += 60;
    desk.library.change(ids[0] ?? '', { title: 'changed there' });
    await desk.pass();
    desk.mirrors.setOverlay(SITE, ids[0] ?? '', { title: 'changed here' });
    expect(found(desk, 'has:captions')).toEqual({ ids: [ids[0]], unknown: 0 });
  });
});
