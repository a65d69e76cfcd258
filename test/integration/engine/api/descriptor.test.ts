import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFile } from '../../../../electron/engine/api/files.ts';
import { createThumb } from '../../../../electron/engine/api/thumbs.ts';
import { toUpload } from '../../../../electron/engine/uploads/journal/upload-columns.ts';
import type { FormField } from '../../../../shared/api/form-fields.ts';
import { jsonMembersAt } from '../../../../shared/api/json-members.ts';
import { readForm } from '../../../helpers/sender/form-reading.ts';
import { makeFile, sendFile } from '../../../helpers/sender/form-sending.ts';
import { takeAll } from '../../../helpers/sender/form-taker.ts';
import { startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from './site-client.ts';

const ABSENT = 'absent';

/** Returns the form fields that the client reads from an answer with this text as `upload_post_params`. */
async function fieldsOf(params: string, place: 'file' | 'thumbnail' = 'file') {
  const member = params === ABSENT ? '' : `"upload_post_params" :${params},`;
  const form = `{"upload_url":"/u",${member}"upload_file_param":"file"}`;
  const body = ` {"id":"9","upload":{"protocols":{"form_data":${form}}},"links":{"upload_post_params":{"x":"y"}}}`;
  const server = await startSmallServer((_, response) =>
    response.writeHead(201, { location: '/api2/media/1/files/9' }).end(body),
  );
  const client = clientOf(server.url);
  const input = { upload_name: 'a', upload_size: 1 };
  if (place === 'thumbnail') return (await createThumb(client, 'media', '1', input)).upload_post_params;
  return (await createFile(client, '1', input)).descriptor?.upload_post_params ?? null;
}

const ODD_FIELDS = `{ "policy" : "p\\u00e9\\n\\"",
  "10":"ten", "2":"two", "__proto__":"kept", "constructor":"c", "toString":"t", "hasOwnProperty":"",
  "":"no name", "2":"again", "signature":"s}]{" }`;
const EXPECTED: FormField[] = [
  ['policy', 'pé\n"'],
  ['10', 'ten'],
  ['2', 'two'],
  ['__proto__', 'kept'],
  ['constructor', 'c'],
  ['toString', 't'],
  ['hasOwnProperty', ''],
  ['', 'no name'],
  ['2', 'again'],
  ['signature', 's}]{'],
];

describe('the fields of a descriptor', () => {
  it.each(['file', 'thumbnail'] as const)(
    'are all read in their order, whatever their names are, for a %s',
    async (place) => {
      expect(await fieldsOf(ODD_FIELDS, place)).toEqual(EXPECTED);
    },
  );

  it('reach the destination in their order', async () => {
    const { server, got } = await takeAll();
    const file = await makeFile(10);
    await sendFile(server.url, file.path, { fields: EXPECTED });
    const fields = readForm(got.body(), got.boundary).slice(0, -1);
    expect(fields.map(({ name, content }) => [name, content.toString()])).toEqual(
      EXPECTED.map(([name, value]) => [name.replaceAll('"', '%22'), value.replaceAll('\n', '\r\n')]),
    );
  });

  it.each([
    [
      '{"n":1,"big":12345678901234567890,"f":1.0,"e":1e3}',
      [
        ['n', '1'],
        ['big', '12345678901234567890'],
        ['f', '1.0'],
        ['e', '1e3'],
      ],
    ],
    [
      '{"t":true,"f":false,"none":null,"empty":""}',
      [
        ['t', 'true'],
        ['f', 'false'],
        ['none', ''],
        ['empty', ''],
      ],
    ],
    [
      '{"list":["a", {"b":"}"}],"object":{"c":[]}}',
      [
        ['list', '["a", {"b":"}"}]'],
        ['object', '{"c":[]}'],
      ],
    ],
    ['{}', []],
    ['[]', []],
    ['null', []],
    [ABSENT, []],
  ])('are read from %s', async (params, expected) => {
    expect(await fieldsOf(params)).toEqual(expected);
  });

  it.each(['"text"', '7', '["a"]'])('make the descriptor invalid when they are %s', async (params) => {
    expect(await fieldsOf(params)).toBeNull();
  });

  it('are read when there are very many of them', async () => {
    const many = Array.from({ length: 50_000 }, (_, index): FormField => [String(50_000 - index), `v${index}`]);
    const text = `{${many.map(([name, value]) => `"${name}":"${value}"`).join(',')}}`;
    expect(await fieldsOf(text)).toEqual(many);
  });

  it('are read from a row that an earlier version stored as an object', () => {
    const destination = '{"upload_url":"u","upload_file_param":"f","upload_post_params":{"b":"1","a":"2"}}';
    const row = new Proxy({ destination }, { get: (own, name) => Reflect.get(own, name) ?? null });
    expect(toUpload(row).destination).toMatchObject({
      upload_post_params: [
        ['b', '1'],
        ['a', '2'],
      ],
    });
  });
});

describe('the members of a JSON object', () => {
  it('are those of JSON.parse for any text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', ' \t\r\n'), (text, blank) => {
        const spaced = blank + JSON.stringify(JSON.parse(text), null, blank.length > 0 ? 2 : 0) + blank;
        const value: unknown = JSON.parse(spaced);
        const members = jsonMembersAt(spaced, []);
        if (typeof value !== 'object' || value === null || Array.isArray(value)) {
          expect(members).toBeNull();
          return;
        }
        expect(members?.map(({ name, source }) => [name, JSON.parse(source)])).toEqual(Object.entries(value));
      }),
    );
  });

  it('are found by a path; of members with the same name, the last one counts, as for JSON.parse', () => {
    const text = '{"a":{"b":{"old":1}},"a":{"b":7,"b":{"new":2}}}';
    expect(jsonMembersAt(text, ['a', 'b'])).toEqual([{ name: 'new', source: '2' }]);
    expect(jsonMembersAt(text, ['a', 'c'])).toBeNull();
    expect(jsonMembersAt(text, ['a', 'b', 'new'])).toBeNull();
  });

  it('are read in linear time when the text is nested two million levels deep', () => {
    const text = `{"deep":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)},"after":1}`;
    expect(jsonMembersAt(text, [])?.map(({ name }) => name)).toEqual(['deep', 'after']);
  });
});
