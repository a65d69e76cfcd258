import type { Answer, JsonObject } from '../http/answer.ts';
import type { Api } from '../http/api.ts';
import { type Descriptor, descriptorOf, upload } from '../http/upload.ts';
import { check, done, hasStatus } from '../suite/expect.ts';
import { eventually } from './eventually.ts';
import type { Kind, Registry } from './registry.ts';

/** A created resource, identified by its Location header. */
export interface Made {
  id: string;
  path: string;
  answer: Answer;
}

export interface MadeFile extends Made {
  descriptor: Descriptor;
}

interface Sample {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  type?: string;
}

const FILE_LIMIT_MS = 60_000;

/** Creates resources with unique names, and registers them for removal. */
export interface Makers {
  /** A collection below the collection of the suite. */
  collection(fields?: JsonObject, api?: Api): Promise<Made>;
  /** A media item; in a collection that many cases share, unless another is given. */
  media(fields?: JsonObject, api?: Api): Promise<Made>;
  /** A placeholder with its upload descriptor. */
  file(media: Made, fields?: JsonObject, api?: Api): Promise<MadeFile>;
  /** A file whose bytes were sent and processed. */
  uploaded(media: Made, sample: Sample): Promise<MadeFile & { status: string }>;
  user(fields?: JsonObject): Promise<Made>;
  group(fields?: JsonObject): Promise<Made>;
  /** The display name of a tag; using it creates the tag. */
  tagName(): string;
  tag(fields?: JsonObject): Promise<Made>;
  role(permissions: readonly string[], fields?: JsonObject): Promise<Made>;
  membership(fields: JsonObject): Promise<Made>;
  /** The resource that an answer to a creation names, for cases that send the request themselves. */
  made(answer: Answer): Made;
}

export interface MakerParts {
  api: Api;
  registry: Registry;
  name(label: string): string;
  homeId(): Promise<string>;
  shelfId(): Promise<string>;
}

export function createMakers({ api: admin, registry, name, homeId, shelfId }: MakerParts): Makers {
  function made(answer: Answer): Made {
    const { location } = answer;
    check(location !== null && location !== '', `The answer has no Location header: ${answer}`);
    const path = admin.site.pathOf(location);
    return { id: decodeURIComponent(path.split(/[?#]/)[0]?.split('/').at(-1) ?? ''), path, answer };
  }

  async function create(kind: Kind | null, path: string, body: JsonObject, api = admin, status = 201): Promise<Made> {
    const given = body.display_name ?? body.email_address ?? null;
    const note = kind === null ? null : registry.expect(kind, typeof given === 'string' ? given : null);
    const answer = await api.post(path, body);
    if (answer.status >= 400 && answer.status < 500) note?.(null);
    const result = made(hasStatus(answer, status));
    note?.(result.path);
    return result;
  }

  async function makeFile(media: Made, fields: JsonObject = {}, api = admin): Promise<MadeFile> {
    const body = { upload_name: `${name('file')}.mp4`, upload_size: 1000, ...fields };
    const result = await create(null, `${media.path}/files`, body, api);
    return { ...result, descriptor: descriptorOf(result.answer) };
  }

  function tagName(): string {
    const tag = name('tag');
    registry.expect('tag', tag);
    return tag;
  }

  return {
    made,
    // A collection below the suite's own one is removed with it, so it needs no entry of its own.
    collection: async (fields = {}, api = admin) =>
      create(
        null,
        '/api2/collections',
        { display_name: name('collection'), parent_id: await homeId(), ...fields },
        api,
      ),
    media: async (fields = {}, api = admin) =>
      create('media', '/api2/media', { title: name('item'), collection_id: await shelfId(), ...fields }, api),
    file: makeFile,
    async uploaded(media, { name: upload_name, bytes, type }) {
      const fields = { upload_name, upload_size: bytes.length, ...(type === undefined ? {} : { upload_type: type }) };
      const file = await makeFile(media, fields);
      await upload(admin.site, file.descriptor, upload_name, bytes);
      return { ...file, status: await finalStatus(admin, file.path) };
    },
    user(fields = {}) {
      const email = `${name('user')}@conformance.example`;
      const body = { is_admin: false, email_address: email, first_name: name('first'), last_name: name('last') };
      return create('user', '/api2/users', { ...body, ...fields });
    },
    group: (fields = {}) => create('group', '/api2/groups', { display_name: name('group'), ...fields }),
    tagName,
    tag: (fields = {}) => create('tag', '/api2/tags', { display_name: name('tag'), ...fields }),
    role: (permissions, fields = {}) =>
      create(
        'role',
        '/api2/roles',
        { display_name: name('role'), permissions: [...permissions], ...fields },
        admin,
        200,
      ),
    membership: (fields) => create('membership', '/api2/memberships', fields),
  };
}

/** Waits until the status of a file is neither uploading nor processing; returns the status. */
export function finalStatus(api: Api, filePath: string): Promise<string> {
  return eventually(
    'the file to be complete',
    async () => {
      const { status } = await api.read(filePath);
      return status === 'uploading' || status === 'processing' ? undefined : String(status);
    },
    FILE_LIMIT_MS,
  );
}

/** Publishes an item, now or at a time. */
export async function publish(api: Api, media: Made, publishOn?: string): Promise<void> {
  done(await api.post(`${media.path}/publish`, publishOn === undefined ? {} : { publish_on: publishOn }));
}

export async function unpublish(api: Api, media: Made): Promise<void> {
  done(await api.post(`${media.path}/unpublish`));
}

/** A time from now on, as the API writes times. */
export function inSeconds(seconds: number): string {
  return `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;
}
