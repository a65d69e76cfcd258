import { headerOf, html, json, type Reply, withHeaders } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { insteadOfFirst, lost, on, onFirst, onJson } from './parts.ts';

const answered = (changes: Partial<Reply>) => on('create-file', (reply) => ({ ...reply, ...changes }));
const location = (change: (path: string) => string | null) =>
  on('create-file', (reply) => withHeaders(reply, { Location: change(headerOf(reply, 'Location') ?? '') }));

export const PLACEHOLDER = casesOf('placeholder', (it) => {
  it('status-200', 'answers 200', answered({ status: 200 }));
  it('status-202', 'answers 202', answered({ status: 202 }));
  it(
    'location-missing',
    'gives no Location',
    location(() => null),
  );
  it(
    'location-foreign',
    'gives a Location on another host',
    on('create-file', (reply, _, { origins }) =>
      withHeaders(reply, { Location: `${origins.foreign}${headerOf(reply, 'Location')}` }),
    ),
  );
  it(
    'location-of-item',
    'gives the address of the item as Location',
    location((path) => path.replace(/\/files\/.*$/, '')),
  );
  it(
    'location-absolute',
    'gives the Location with its own origin',
    on('create-file', (reply, { headers }) =>
      withHeaders(reply, { Location: `http://${headers.host}${headerOf(reply, 'Location')}` }),
    ),
  );
  it(
    'location-short',
    'names the file without its item in the Location',
    location((path) => path.replace(/^.*\/files\//, '/api2/files/')),
  );
  it(
    'id-number',
    'has a number as id in the body',
    onJson('create-file', (file) => ({ ...file, id: Number(file.id) })),
  );
  it('no-descriptor', 'gives a Location and no body', answered({ body: '' }), {
    expect: { fails: 'upload.no-destination', forms: 0, retries: 2, requests: 90 },
  });
  it(
    'descriptor-only',
    'gives the Location, and only the descriptor of the file in the body',
    onJson('create-file', ({ upload }) => ({ upload })),
  );
  it(
    'more-protocols',
    'offers other protocols beside the multipart form',
    onJson('create-file', (file) => {
      const { form_data } = file.upload.protocols;
      return { ...file, upload: { protocols: { tus: { upload_url: 'http://127.0.0.1:9/' }, form_data, s3: null } } };
    }),
  );
  it('reply-lost', 'loses the reply by a reset', onFirst('create-file', lost('reset')), {
    expect: { retries: 1, requests: 60 },
  });
  it('reply-lost-close', 'loses the reply by a close', onFirst('create-file', lost('close')), {
    expect: { retries: 1, requests: 60 },
  });
  it(
    'reply-lost-kept',
    'loses the reply and allows no client to remove the placeholder',
    {
      ...onFirst('create-file', lost('reset')),
      instead: ({ route }) => (route === 'delete-file' ? json(403, { message: 'Not allowed.' }) : undefined),
    },
    { expect: { retries: 1, leftovers: 1, requests: 70 } },
  );
  it(
    'request-lost',
    'resets the connection before a placeholder is created',
    insteadOfFirst('create-file', () => ({ ...html(200, ''), isLost: true, ending: 'reset' })),
    { expect: { retries: 1, requests: 60 } },
  );
  it(
    'made-and-502',
    'creates the placeholder, and its gateway answers 502',
    onFirst('create-file', () => html(502, 'Bad Gateway')),
    { expect: { retries: 1, requests: 60 } },
  );
  it(
    'null-fields',
    'has null for everything but id, state and descriptor',
    onJson('create-file', (file) => ({
      ...Object.fromEntries(Object.keys(file).map((name) => [name, null])),
      id: file.id,
      status: 'uploading',
      upload: file.upload,
    })),
  );
  it(
    'unknown-status',
    'shows a new file in a state that the API does not know',
    onJson('create-file', (file) => ({ ...file, status: 'reserved' })),
  );
  it(
    'invalid-name',
    'refuses names with double quotes',
    {
      instead: (request) =>
        request.route === 'create-file' && request.body.includes('\\"')
          ? json(422, { message: 'Invalid.', errors: [{ field: 'upload_name', message: 'may not hold quotes' }] })
          : undefined,
    },
    { files: [{ name: 'A "quote".mp4', bytes: 500 }], expect: { fails: 'api.invalid', forms: 0 } },
  );
  it(
    'too-large',
    'answers 413 because of the announced size',
    insteadOfFirst('create-file', () => html(413, 'Too large')),
    {
      expect: { fails: 'api.unexpected', forms: 0 },
    },
  );
});
