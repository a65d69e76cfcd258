import { refusal, type S3Client } from './client.ts';

const PAGE = 1000;

export interface StoredObject {
  /** Without the prefix. */
  key: string;
  /** Epoch ms. */
  modifiedAt: number;
}

/** Yields the objects below the prefix, a page at a time, by their keys. */
export async function* listObjects(
  client: S3Client,
  prefix: string,
  signal?: AbortSignal,
): AsyncGenerator<StoredObject[]> {
  let after = '';
  for (;;) {
    const query: Record<string, string> = { 'list-type': '2', 'max-keys': String(PAGE), prefix };
    if (after !== '') query['start-after'] = after;
    const answer = await client.send({ method: 'GET', key: '', query, signal });
    if (answer.status !== 200) throw refusal(answer);
    const found = elementsOf(answer.text, 'Contents').map((text) => ({
      key: unescapeXml(textOf(text, 'Key')),
      modifiedAt: Date.parse(textOf(text, 'LastModified')),
    }));
    const last = found.at(-1)?.key ?? '';
    if (last <= after) return;
    after = last;
    yield found
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, ...rest }) => ({ key: key.slice(prefix.length), ...rest }));
    if (textOf(answer.text, 'IsTruncated') !== 'true') return;
  }
}

export interface UnfinishedObject {
  key: string;
  uploadId: string;
  /** Epoch ms. */
  startedAt: number;
}

/** Returns uploads in parts that were not completed, at most a page of them. */
export async function listUnfinished(
  client: S3Client,
  prefix: string,
  signal?: AbortSignal,
): Promise<UnfinishedObject[]> {
  const query = { uploads: '', prefix, 'max-uploads': String(PAGE) };
  const answer = await client.send({ method: 'GET', key: '', query, signal });
  if (answer.status !== 200) throw refusal(answer);
  return elementsOf(answer.text, 'Upload')
    .map((text) => ({
      key: textOf(text, 'Key'),
      uploadId: textOf(text, 'UploadId'),
      startedAt: Date.parse(textOf(text, 'Initiated')),
    }))
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ key, ...rest }) => ({ key: key.slice(prefix.length), ...rest }));
}

/** The contents of the elements of this name. */
function elementsOf(xml: string, name: string): string[] {
  const pieces = xml.split(`<${name}>`).slice(1);
  return pieces.map((piece) => piece.slice(0, Math.max(0, piece.indexOf(`</${name}>`))));
}

/** The text of the first element of this name; empty when there is none. */
function textOf(xml: string, name: string): string {
  const [, rest = ''] = xml.split(`<${name}>`, 2);
  const end = rest.indexOf(`</${name}>`);
  return end < 0 ? '' : rest.slice(0, end);
}

/** Our keys have no character that XML escapes; those of others are only where the next page begins. */
function unescapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
