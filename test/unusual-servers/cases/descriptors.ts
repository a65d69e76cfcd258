import type { Behavior } from '../server/behavior.ts';
import type { LibrarySettings } from '../server/library.ts';
import { casesOf } from '../suite/case.ts';
import { onJson } from './parts.ts';

const fields = (...given: [name: string, value: string][]): Behavior => ({ library: { fields: given } });
const at = (destination: LibrarySettings['destination']): Behavior => ({ library: { destination } });
// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
const form = (change: (form: any) => unknown, library: Behavior['library'] = { fields: [] }): Behavior => ({
  library,
  ...onJson('create-file', (file) => ({
    ...file,
    upload: { protocols: { form_data: change(file.upload.protocols.form_data) } },
  })),
});

export const DESCRIPTORS = casesOf('descriptors', (it) => {
  it('field-proto', 'has a field named __proto__', fields(['__proto__', 'kept'], ['key', 'in']));
  it(
    'field-constructor',
    'has fields named like members of JavaScript objects',
    fields(['constructor', 'a'], ['toString', 'b'], ['hasOwnProperty', 'c'], ['valueOf', 'd']),
  );
  it(
    'fields-numbers',
    'has numbers as field names, in no numerical order',
    fields(['10', 'ten'], ['policy', 'p'], ['2', 'two'], ['0', 'zero']),
  );
  it(
    'fields-many',
    'has 200 fields',
    { library: { fields: Array.from({ length: 200 }, (_, n) => [`x-meta-${200 - n}`, String(n)] as const) } },
    // The fields count as sent bytes.
    { expect: { bytes: 1.3 } },
  );
  it('fields-none', 'has no fields', fields());
  it(
    'fields-null',
    'has null in place of the fields',
    form((own) => ({ ...own, upload_post_params: null })),
  );
  it(
    'fields-absent',
    'leaves out the fields',
    form(({ upload_post_params: _, ...own }) => own),
  );
  it(
    'fields-numbers-as-values',
    'has numbers and booleans as field values',
    form((own) => ({ ...own, upload_post_params: { max: 5, strict: true } }), {
      fields: [
        ['max', '5'],
        ['strict', 'true'],
      ],
    }),
  );
  it('field-empty', 'has an empty value', fields(['acl', ''], ['key', 'in']));
  it('field-unicode', 'has letters outside of ASCII in names and values', fields(['Schlüssel – 键', 'wärme/温度/😀']));
  it('field-quotes', 'has quotes, blanks and semicolons in names', fields(['a "b"; filename="c"', 'd']));
  it('field-lines', 'has line breaks in values', fields(['policy', 'one\ntwo\r\nthree\rfour']));
  it('field-long', 'has a value of 60 KB', fields(['policy', 'x'.repeat(60_000)]), {
    files: [{ name: 'Long.mp4', bytes: 400_000 }],
    expect: { bytes: 1.2 },
  });
  it('field-like-file', 'has fields named filename and file-name', fields(['filename', 'x'], ['file-name', 'y']));
  it('param-brackets', 'names the field of the file file[]', { library: { fileParam: 'file[]' } });
  it('param-odd', 'has quotes in the name of the file field', { library: { fileParam: 'die "Datei" – größe' } });
  it('param-number', 'names the field of the file 0', { library: { fileParam: '0' } });
  it('param-proto', 'names the field of the file __proto__', { library: { fileParam: '__proto__' } });
  it(
    'url-path',
    'gives the destination as a path',
    at((_, key) => `/put/${key}`),
  );
  it(
    'url-relative',
    'gives the destination relative to the request',
    at((_, key) => `../../../put/${key}`),
  );
  it(
    'url-scheme-relative',
    'gives the destination without its scheme',
    at(({ store }, key) => `${store.replace('http:', '')}/put/${key}`),
  );
  it(
    'url-same-origin',
    'gives a destination at its own origin',
    at(({ site }, key) => `${site}/put/${key}`),
  );
  it(
    'url-query',
    'has a long query in the destination',
    at(({ store }, key) => `${store}/put/${key}?policy=${'p'.repeat(3_000)}&sig=a%2Bb%3D%3D&empty=`),
  );
  it(
    'url-fragment',
    'has a fragment in the destination',
    at(({ store }, key) => `${store}/put/${key}?a=1#form`),
  );
  it(
    'url-user',
    'has a user name and password in the destination',
    at(({ store }, key) => `${store.replace('//', '//user:secret@')}/put/${key}`),
  );
  it(
    'url-upper-case',
    'writes the scheme of the destination in capitals',
    at(({ store }, key) => `${store.replace('http:', 'HTTP:')}/put/${key}`),
  );
  it(
    'url-blanks',
    'has blanks and umlauts in the path of the destination',
    at(({ store }, key) => `${store}/große Dateien/put/${key}`),
  );
  it(
    'url-localhost',
    'gives the destination by the name localhost',
    at(({ store }, key) => `${store.replace('127.0.0.1', 'localhost')}/put/${key}`),
  );
  it(
    'url-dots',
    'has dot segments in the path of the destination',
    at(({ store }, key) => `${store}/a/../b/./put/${key}`),
  );
  it(
    'url-ipv6',
    'gives the destination as an IPv6 address',
    at(({ store }, key) => `http://[::ffff:127.0.0.1]:${new URL(store).port}/put/${key}`),
  );
  it(
    'more-members',
    'has members that the API does not define',
    form((own) => ({ ...own, upload_method: 'POST', max_size: 1e12, expires: '2099-01-01' }), {
      fields: [['key', 'in']],
    }),
  );
});
