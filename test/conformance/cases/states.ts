import { type Answer, at } from '../http/answer.ts';
import { upload } from '../http/upload.ts';
import { type Case, casesOf } from '../suite/case.ts';
import { check, done, equal, isAbout, isList } from '../suite/expect.ts';
import { Skip } from '../suite/failure.ts';
import { videoItem } from '../world/fixtures.ts';
import { finalStatus, inSeconds, type Made, publish, unpublish } from '../world/makers.ts';
import { png, utf8 } from '../world/samples.ts';
import type { World } from '../world/world.ts';

const SOON_S = 7 * 86_400;

/** An item in each state, created with requests of the API. */
const IN_STATE = {
  draft: async (w: World) => {
    const media = await w.media();
    await unpublish(w.api, media);
    return media;
  },
  scheduled: async (w: World) => {
    const media = await w.media();
    await publish(w.api, media, inSeconds(SOON_S));
    return media;
  },
  published: async (w: World) => {
    const media = await w.media();
    await publish(w.api, media);
    return media;
  },
} as const;

type State = keyof typeof IN_STATE;
const STATES = Object.keys(IN_STATE) as State[];

async function statusOf(w: World, media: Made): Promise<unknown> {
  return (await w.api.read(media.path)).status;
}

function publishWith(w: World, media: Made, body?: { publish_on: string }): Promise<Answer> {
  return w.api.post(`${media.path}/publish`, body ?? {});
}

const mediaStates = casesOf('media-status', (it) => {
  for (const state of STATES) {
    it(`publish-${state}`, `publish without a date makes a ${state} item published`, async (w) => {
      const media = await IN_STATE[state](w);
      check((await statusOf(w, media)) === state, `The item is not ${state} at the start.`);
      done(await publishWith(w, media));
      equal((await w.api.read(media.path)).status, 'published', 'status');
    });
    it(
      `schedule-${state}`,
      `publish with a date in the future makes a ${state} item scheduled, for that date`,
      async (w) => {
        const media = await IN_STATE[state](w);
        const publish_on = inSeconds(2 * SOON_S);
        done(await publishWith(w, media, { publish_on }));
        const after = await w.api.read(media.path);
        equal(after.status, 'scheduled', 'status');
        equal(after.publish_on, publish_on, 'publish_on');
      },
    );
    it(
      `past-${state}`,
      `publish with a past date makes a ${state} item published now, without backdating`,
      async (w) => {
        const media = await IN_STATE[state](w);
        const answer = done(await publishWith(w, media, { publish_on: '2001-02-03T04:05:06Z' }));
        const after = await w.api.read(media.path);
        equal(after.status, 'published', 'status');
        isAbout(after.publish_on, answer.serverTimeMs(), 'publish_on');
      },
    );
    it(`unpublish-${state}`, `unpublish makes a ${state} item a draft; publish_on keeps its value`, async (w) => {
      const media = await IN_STATE[state](w);
      const before = await w.api.read(media.path);
      done(await w.api.post(`${media.path}/unpublish`));
      const after = await w.api.read(media.path);
      equal(after.status, 'draft', 'status');
      equal(after.publish_on, before.publish_on, 'publish_on');
    });
  }
  it('keep-date', 'publish without a date keeps an existing publish_on', async (w) => {
    const media = await IN_STATE.scheduled(w);
    const before = await w.api.read(media.path);
    await unpublish(w.api, media);
    done(await publishWith(w, media));
    const after = await w.api.read(media.path);
    equal(after.status, 'published', 'status');
    equal(after.publish_on, before.publish_on, 'publish_on');
  });
  it('current-time', 'publish without a date sets publish_on to the current time when there is none', async (w) => {
    const media = await w.media();
    const before = await w.api.read(media.path);
    if (before.publish_on !== null) throw new Skip('new items have a publish_on here');
    const answer = done(await publishWith(w, media));
    isAbout((await w.api.read(media.path)).publish_on, answer.serverTimeMs(), 'publish_on');
  });
  it('no-body', 'publish works with an empty object as its body', async (w) => {
    const media = await IN_STATE.draft(w);
    done(await w.api.post(`${media.path}/publish`, {}));
    equal((await w.api.read(media.path)).status, 'published', 'status');
  });
});

const fileStates = casesOf('file-status', (it) => {
  it('created', 'Creating a file makes a placeholder in status uploading, with an upload descriptor', async (w) => {
    const file = await w.file(await w.media());
    equal(file.answer.object().status, 'uploading', 'status in the creation response');
    equal((await w.api.read(file.path)).status, 'uploading', 'status');
  });
  it('uploaded', 'Completing the upload ends the status uploading', async (w) => {
    const bytes = png();
    const file = await w.file(await w.media(), { upload_name: 'p.png', upload_size: bytes.length });
    await upload(w.site, file.descriptor, 'p.png', bytes);
    const status = (await w.api.read(file.path)).status;
    // The upload destination may report to the library with a delay.
    if (status !== 'uploading') check(['processing', 'complete'].includes(String(status)), `status is ${status}.`);
    equal(await finalStatus(w.api, file.path), 'complete', 'status in the end');
  });
  it('complete', 'A file whose processing has succeeded is complete', async (w) => {
    const file = await w.uploaded(await w.media(), { name: 'p.png', bytes: png(), type: 'image' });
    equal(file.status, 'complete', 'status');
  });
  it('broken', 'A file whose content does not match its type ends as complete or error', async (w) => {
    const bytes = utf8('This is no film.'.repeat(50));
    const file = await w.uploaded(await w.media(), { name: 'film.mp4', bytes, type: 'video' });
    check(['complete', 'error'].includes(file.status), `status is ${file.status}.`);
  });
  it('untouched', 'A file without bytes keeps the status uploading', async (w) => {
    const { file } = await videoItem(w);
    equal((await w.api.read(file.path)).status, 'uploading', 'status');
  });
  it('thumbnails', 'The list of thumbnails can be read after the processing of a picture', async (w) => {
    const media = await w.media();
    await w.uploaded(media, { name: 'p.png', bytes: png(), type: 'image' });
    done(await w.api.get(`${media.path}/thumbs`));
  });
  it('encodings', 'A complete original lists its encodings, each of them with a status', async (w) => {
    const media = await w.media();
    const file = await w.uploaded(media, { name: 'p.png', bytes: png(), type: 'image' });
    const { encodings } = await w.api.read(file.path);
    isList(encodings, 'encodings');
    for (const each of encodings) check(typeof at(each, 'status') === 'string', 'An encoding has no status.');
  });
});

export const stateCases: Case[] = [...mediaStates, ...fileStates];
