import { at, type JsonObject } from '../http/answer.ts';
import { descriptorOf, upload } from '../http/upload.ts';
import { type Case, casesOf } from '../suite/case.ts';
import * as is from '../suite/expect.ts';
import { pictureItem, plainCollection } from '../world/fixtures.ts';
import { png } from '../world/samples.ts';
import type { World } from '../world/world.ts';

const RESOURCES: Readonly<Record<string, (w: World) => Promise<{ path: string }>>> = {
  media: async (w) => (await pictureItem(w)).media,
  collections: plainCollection,
  users: (w) => w.once('user with thumbnails', () => w.user()),
};

export const thumbnailCases: Case[] = casesOf('thumbnails', (it) => {
  for (const [resource, subject] of Object.entries(RESOURCES)) {
    const thumbs = async (w: World) => `${(await subject(w)).path}/thumbs`;
    const create = async (w: World, body: JsonObject) => w.api.post(await thumbs(w), body);
    it(`list-${resource}`, `GET /${resource}/<id>/thumbs answers 200`, async (w) => {
      is.hasStatus(await w.api.get(await thumbs(w)), 200);
    });
    it(`create-${resource}`, `POST /${resource}/<id>/thumbs answers 200 with an upload descriptor`, async (w) => {
      const answer = is.hasStatus(await create(w, { upload_name: 't.png', upload_size: 1000 }), 200);
      const form = at(answer.object(), 'upload.protocols.form_data');
      is.isString(at(form, 'upload_url'), 'upload_url');
      is.isString(at(form, 'upload_file_param'), 'upload_file_param');
      is.check(is.object.holds(at(form, 'upload_post_params')), 'upload_post_params is no object.');
    });
    it(`upload-${resource}`, `A thumbnail of ${resource} can be sent to its upload destination`, async (w) => {
      const bytes = png(64);
      const answer = is.hasStatus(await create(w, { upload_name: 't.png', upload_size: bytes.length }), 200);
      await upload(w.site, descriptorOf(answer), 't.png', bytes);
      is.hasStatus(await w.api.get(await thumbs(w)), 200);
    });
    it(`no-name-${resource}`, `upload_name is required for a thumbnail of ${resource}`, async (w) => {
      is.invalid(await create(w, { upload_size: 1000 }));
    });
    it(`no-size-${resource}`, `upload_size is required for a thumbnail of ${resource}`, async (w) => {
      is.invalid(await create(w, { upload_name: 't.png' }));
    });
  }
});
