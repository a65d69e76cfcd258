import { boundaryOf, readForm } from '../../helpers/sender/form-reading.ts';
import type { World } from './behavior.ts';
import { COLLECTION_ID, type StoredItem } from './library.ts';
import { collectionShape, fileShape, itemPath, itemShape } from './shapes.ts';
import { json, jsonOf, type Reply, type Request, reply } from './wire.ts';

const NOT_FOUND = json(404, { message: 'There is nothing at this address.' });
const PUBLIC = new Set(['authorize', 'token', 'destination', 'notify']);

/** Returns the usual answer of the library. */
export function answer(request: Request, world: World): Reply {
  const { library } = world;
  if (request.host !== 'site' && !['destination', 'notify'].includes(request.route)) return NOT_FOUND;
  if (!PUBLIC.has(request.route)) {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !library.access.has(token)) return json(401, { message: 'Bad credentials.' });
  }
  return answerRoute(request, world);
}

function answerRoute(request: Request, world: World): Reply {
  const { library } = world;
  const [first, second] = request.ids;
  const given = jsonOf(request) as Record<string, unknown> | undefined;
  switch (request.route) {
    case 'authorize':
      return authorize(request.url.searchParams);
    case 'token':
      return token(given ?? {}, world);
    case 'tokeninfo':
      return json(200, { audience: 'unusual', user_id: '3', scope: '', expires_in: 3000 });
    case 'user':
      return json(200, { id: '3', display_name: 'Ada', email_address: 'ada@library.example' });
    case 'tree': {
      const { id, display_name, slug, media_count } = collectionShape(library);
      return json(200, { root: { id, display_name, slug, media_count, is_podcast: false, children: [] } });
    }
    case 'collections':
      return json(200, { items: [collectionShape(library)], links: { self: '/api2/collections' } });
    case 'collection':
      return first === COLLECTION_ID ? json(200, collectionShape(library)) : NOT_FOUND;
    case 'list-items':
      return listItems(request, world);
    case 'count-items':
      return json(200, { count: library.items.length });
    case 'create-item': {
      const item = library.createItem(given as { title: string });
      return json(201, itemShape(library, item), { Location: itemPath(item) });
    }
    case 'delete-item':
      library.deleteItem(first);
      return reply(204);
    case 'create-collection':
    case 'other':
      return NOT_FOUND;
    case 'destination':
      return receive(request, world);
    case 'notify':
      if (request.method !== 'POST') return json(405, { message: 'POST only.' }, { Allow: 'POST' });
      return library.notified(first ?? '') ? reply(204) : json(409, { message: 'No bytes have arrived.' });
    default: {
      const item = library.item(first);
      if (item === undefined || !library.isReadable(item, library.settings.readLagMs)) return NOT_FOUND;
      return answerOfItem(request, item, second, given ?? {}, world);
    }
  }
}

function answerOfItem(
  request: Request,
  item: StoredItem,
  fileId: string | undefined,
  given: Record<string, unknown>,
  world: World,
): Reply {
  const { library } = world;
  switch (request.route) {
    case 'item':
    case 'update-item':
      return json(200, itemShape(library, item));
    case 'publish': {
      const at = typeof given.publish_on === 'string' ? given.publish_on : null;
      item.publishOn = at;
      item.status = at !== null && Date.parse(at) > world.clock.now() ? 'scheduled' : 'published';
      return json(200, itemShape(library, item));
    }
    case 'add-tags':
      item.tags = [...new Set([...item.tags, ...((given.tags as string[] | undefined) ?? [])])];
      return json(200, itemShape(library, item));
    case 'list-files': {
      const items = item.files.map((file) => fileShape(library, item, file));
      return json(200, { items, links: { self: `${itemPath(item)}/files` } });
    }
    case 'create-file': {
      const file = library.createFile(item, given as { upload_name: string; upload_size: number });
      const shape = fileShape(library, item, file);
      return json(201, { ...shape, upload: descriptor(file.key, true, world) }, { Location: shape.links.self });
    }
    case 'create-thumb':
      return json(200, { upload: descriptor(library.createThumb(item), false, world) });
    case 'delete-file':
      library.deleteFile(item, fileId);
      return reply(204);
    default: {
      const file = item.files.find((each) => String(each.id) === fileId);
      if (file === undefined || !library.isReadable(file, library.settings.fileLagMs)) return NOT_FOUND;
      return json(200, fileShape(library, item, file));
    }
  }
}

/** The upload descriptor of a new file or thumbnail. */
function descriptor(key: string, isFile: boolean, { library, origins }: World) {
  const { destination, fields, fileParam, notify } = library.settings;
  // Composed as text: an object would put names that are numbers first and lose `__proto__`.
  const params = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  const form: Record<string, unknown> = {
    upload_url: destination(origins, key),
    upload_file_param: fileParam,
    upload_post_params: PARAMS_PLACE,
  };
  if (isFile && notify === 'post') form.postprocess_url = `${origins.store}/notify/${key}`;
  if (isFile && notify === 'null') form.postprocess_url = null;
  if (isFile && notify === 'empty') form.postprocess_url = '';
  return { protocols: { form_data: form }, [PARAMS_KEY]: `{${params}}` };
}

const PARAMS_PLACE = '\u0001fields\u0001';
const PARAMS_KEY = '\u0001fields';

/** Inserts the fields of a descriptor, as JSON text, into the JSON of its reply. */
export function placeFields(answered: Reply): Reply {
  const value = jsonOf(answered) as { upload?: Record<string, unknown> } | undefined;
  const fields = value?.upload?.[PARAMS_KEY];
  if (typeof fields !== 'string') return answered;
  const { [PARAMS_KEY]: _, ...upload } = value?.upload ?? {};
  const text = JSON.stringify({ ...value, upload });
  return { ...answered, body: text.replace(JSON.stringify(PARAMS_PLACE), () => fields) };
}

function authorize(query: URLSearchParams): Reply {
  const back = new URL(query.get('redirect_uri') ?? 'http://localhost/');
  back.searchParams.set('code', 'a-code');
  back.searchParams.set('state', query.get('state') ?? '');
  return reply(302, '', { Location: back.href });
}

function token(given: Record<string, unknown>, { library }: World): Reply {
  const { settings } = library;
  const isRefresh = given.grant_type === 'refresh_token';
  const used = String(given.refresh_token);
  if (isRefresh && !library.refresh.has(used)) return json(400, { error: 'invalid_grant' });
  if (isRefresh && settings.rotatesTokens) library.refresh.delete(used);
  const access_token = library.newToken('access');
  const renewed = isRefresh && !settings.rotatesTokens ? {} : { refresh_token: library.newToken('refresh') };
  const { tokenLifeS: expires_in } = settings;
  return json(200, { token_type: 'Bearer', access_token, expires_in, scope: '', ...renewed });
}

function listItems({ url }: Request, { library }: World): Reply {
  const query = url.searchParams;
  const after = Date.parse(query.get('created_after') ?? '') || 0;
  const search = query.get('search')?.toLowerCase() ?? '';
  const found = library.items.filter(
    (item) =>
      library.isInLists(item) &&
      item.collectionId === (query.get('collection_id') ?? item.collectionId) &&
      item.createdAt + library.settings.clockSkewMs >= after &&
      item.title.toLowerCase().includes(search),
  );
  if (query.get('order') === 'desc') found.reverse();
  const perPage = Math.min(Number(query.get('per_page')) || library.settings.pageSize, library.settings.pageSize);
  const page = Math.max(1, Number(query.get('_p')) || 1);
  const pageLink = (number: number) => {
    const params = new URLSearchParams(query);
    params.set('_p', String(number));
    params.set('per_page', String(perPage));
    return `/api2/media?${params}`;
  };
  const withFiles = query.get('joins') === 'files';
  const items = found.slice((page - 1) * perPage, page * perPage).map((item) => {
    const files = item.files.map((file) => fileShape(library, item, file));
    return { ...itemShape(library, item), ...(withFiles ? { files } : {}) };
  });
  const links = {
    self: pageLink(page),
    prev: page > 1 ? pageLink(page - 1) : null,
    next: page * perPage < found.length ? pageLink(page + 1) : null,
    count: '/api2/media/count',
  };
  return json(200, { items, links });
}

/** Receives a form at a destination: the fields that its descriptor named, in their order, then the file. */
function receive(request: Request, { library }: World): Reply {
  if (request.method !== 'POST') return reply(405, '', { Allow: 'POST' });
  const parts = readForm(request.body, boundaryOf(request.headers['content-type']));
  const file = parts.at(-1);
  const fields = parts.slice(0, -1).map(({ name, content }) => [name, content.toString('utf8')]);
  const { fields: wanted, fileParam } = library.settings;
  const normal = wanted.map(([name, value]) => [name, value.replace(/\r\n|\r|\n/g, '\r\n')]);
  if (JSON.stringify(fields) !== JSON.stringify(normal))
    return json(400, { message: 'Not the fields of the policy.', fields });
  if (file === undefined || file.name !== fileParam) return json(400, { message: 'The file is missing.' });
  return library.receive(request.ids[0] ?? '', file.fileName ?? '', file.content) ? reply(204) : reply(404);
}
