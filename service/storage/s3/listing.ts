import { refusal, type S3Client } from './client.ts';

const PAGE = 1000;

export interface StoredObject {
  /** Without the prefix. */
  key: string;
  /** Epoch ms. */
  modifiedAt: number;
}

/** Yields the objects below the prefix, a page at a time, by their keys. */
export async function* listObjects(client: S3Client, prefix: string): AsyncGenerator<StoredObject[]> {
  let after = '';
  for (;;) {
    const query: Record<string, string> = { 'list-type': '2', 'max-keys': String(PAGE), prefix };
    if (after !== '') query['start-after'] = after;
    const answer = await client.send({ method: 'GET', key: '', query });
    if (answer.status !== 200) throw refusal(answer);
    const found = elementsOf(answer.text, 'Contents').map((text) => ({
      key: textOf(text, 'Key'),
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
export async function listUnfinished(client: S3Client, prefix: string): Promise<UnfinishedObject[]> {
  const answer = await client.send({
    method: 'GET',
    key: '',
    query: { uploads: '', prefix, 'max-uploads': String(PAGE) },
  });
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

/** The contents of the elements of this name. Our keys have no character that XML escapes; other keys don't matter. */
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
