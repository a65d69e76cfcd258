// The form of podcast details while it is saved, and while other people change them.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  editPodcast,
  loadPodcast,
  openPodcast,
  revertPodcast,
  savePodcast,
  usePodcast,
} from '../../../../../../../renderer/features/library/state/podcast/podcast-store.ts';
import {
  forgetPodcastEditsOf,
  podcastEditsOf,
} from '../../../../../../../renderer/features/library/state/podcast/stored-podcast-edits.ts';
import { collectionSchema } from '../../../../../../../shared/api/collections.ts';
import { type PodcastDetails, podcastDetailsSchema } from '../../../../../../../shared/api/podcasts.ts';
import type { Podcast } from '../../../../../../../shared/contract/collections.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  openPodcast(null, null);
  forgetPodcastEditsOf('s');
});

function podcast(values: Partial<PodcastDetails> = {}): Podcast {
  return {
    details: podcastDetailsSchema.parse(values),
    collection: collectionSchema.parse({ id: 3, display_name: 'The Show' }),
    viewUrl: null,
    artwork: null,
    publishedEpisodes: 0,
  };
}

async function open(values: Partial<PodcastDetails> = {}): Promise<void> {
  openPodcast('s', '3');
  await bridge.take('library.podcast').answer(podcast(values));
}

const state = () => usePodcast.getState();

describe('the form of podcast details', () => {
  it('keeps text unsaved that is typed while a save is in flight, and drops what was saved', async () => {
    await open({ copyright: 'A' });
    editPodcast({ copyright: 'B', directory_subtitle: 'Sub' });
    const saving = savePodcast();
    const sent = bridge.take('library.updatePodcast');
    expect(sent.input).toMatchObject({
      patch: { copyright: 'B', directory_subtitle: 'Sub' },
      expected: { copyright: 'A', directory_subtitle: null },
    });
    editPodcast({ copyright: 'B and C', directory_author_name: 'Ada' });
    await sent.answer(podcast({ copyright: 'B', directory_subtitle: 'Sub' }));
    expect(await saving).toBe(true);
    expect(podcastEditsOf('s', '3')).toEqual({ copyright: 'B and C', directory_author_name: 'Ada' });
    expect(state().draft).toMatchObject({
      copyright: 'B and C',
      directory_subtitle: 'Sub',
      directory_author_name: 'Ada',
    });
  });

  it('keeps edits when newer values are loaded, and sends them with the newer values as expected ones', async () => {
    await open({ copyright: 'A', directory_subtitle: 'Old' });
    editPodcast({ copyright: 'B' });
    void loadPodcast();
    await bridge.take('library.podcast').answer(podcast({ copyright: 'X', directory_subtitle: 'New' }));
    expect(state().draft).toMatchObject({ copyright: 'B', directory_subtitle: 'New' });
    void savePodcast();
    expect(bridge.take('library.updatePodcast').input).toMatchObject({
      patch: { copyright: 'B' },
      expected: { copyright: 'X' },
    });
  });

  it('restores edits of an earlier session, and forgets them when they are reverted or typed back', async () => {
    await open({ copyright: 'A' });
    editPodcast({ copyright: 'B' });
    openPodcast(null, null);
    await open({ copyright: 'A' });
    expect(state().draft?.copyright).toBe('B');
    editPodcast({ copyright: 'A' });
    expect(podcastEditsOf('s', '3')).toEqual({});
    editPodcast({ copyright: 'C' });
    revertPodcast();
    expect([state().draft?.copyright, podcastEditsOf('s', '3')]).toEqual(['A', {}]);
  });
});
