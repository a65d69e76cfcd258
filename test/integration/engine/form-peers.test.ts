import { truncate } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORM_PEERS, type FormPeer } from '../../helpers/sender/form-peers.ts';
import { makeFile, sendFile, sha256Of } from '../../helpers/sender/form-sending.ts';

const GIB = 1024 ** 3;
const peers = FORM_PEERS.map((kind) => ({ kind, version: kind.version() }));
for (const { kind, version } of peers) {
  console.info(version === null ? `${kind.name}: not on this machine, not tested.` : `${kind.name} (${version})`);
}

/** Only one receiver gets a very large file: the first receiver that does not keep files in memory. */
const bigPeer = peers.find(({ kind, version }) => version !== null && kind.streams)?.kind;

/** A file name, and the name that receivers report: the three characters that browsers escape stay escaped. */
const names: [string, string][] = [
  ['lecture.mp4', 'lecture.mp4'],
  ['Größe, Öl & Ähren – Über.mp4', 'Größe, Öl & Ähren – Über.mp4'],
  ['a\u0308 nfd.mp4', 'a\u0308 nfd.mp4'],
  ['🎬 clip 👩🏽‍🏫.mp4', '🎬 clip 👩🏽‍🏫.mp4'],
  ['say "hi".mp4', 'say %22hi%22.mp4'],
  ["it's; filename=b.mp4", "it's; filename=b.mp4"],
  ['100 %.mp4', '100 %.mp4'],
  ['two\r\nlines.mp4', 'two%0D%0Alines.mp4'],
  [`${'ü'.repeat(125)}.mp4x`, `${'ü'.repeat(125)}.mp4x`],
];

describe.each(peers)('$kind.name', ({ kind, version }) => {
  let peer: FormPeer;
  beforeAll(async () => {
    if (version !== null) peer = await kind.start();
  });
  afterAll(() => peer?.close());

  /** Sends a file and returns what the receiver reported. */
  async function send(sizeBytes: number, fileName: string, fields: Record<string, string>) {
    const file = await makeFile(sizeBytes);
    const { sha256 } = await sendFile(peer.url, file.path, {
      fileName,
      fields: Object.entries(fields),
      contentType: 'video/mp4',
    });
    expect(sha256).toBe(file.sha256);
    const parts = await peer.nextForm();
    return { file, parts, received: parts.at(-1) };
  }

  it.skipIf(version === null)('receives every field unchanged and in order, and the file last', async () => {
    const fields = { policy: 'eyJ9==', key: 'drop/1', note: 'Grüße 🎬 "quoted"', empty: '' };
    const { parts } = await send(1000, 'lecture.mp4', fields);
    const found = parts.map(({ name, fileName, sha256 }) => ({
      name,
      fileName,
      sha256: fileName === null ? sha256 : '',
    }));
    const wanted = Object.entries(fields).map(([name, value]) => ({
      name,
      fileName: null,
      sha256: sha256Of(Buffer.from(value)),
    }));
    expect(found).toEqual([...wanted, { name: 'file', fileName: 'lecture.mp4', sha256: '' }]);
    expect(parts.at(-1)?.contentType).toBe('video/mp4');
  });

  it.skipIf(version === null).each(names)('receives the file name %j as %j', async (fileName, understood) => {
    const { received } = await send(10, fileName, { ticket: '1' });
    expect(received?.fileName).toBe(understood);
  });

  it.skipIf(version === null || !kind.keepsPath).each(['back\\slash.mp4', '../up.mp4', '-dash', '.hidden'])(
    'receives the file name %j unchanged',
    async (fileName) => {
      const { received } = await send(10, fileName, { ticket: '1' });
      expect(received?.fileName).toBe(fileName);
    },
  );

  it.skipIf(version === null).each([0, 1, 65_535, 262_144, 5 * 1024 * 1024 + 1])(
    'receives a file of %i bytes',
    async (size) => {
      const { file, received } = await send(size, 'lecture.mp4', { ticket: '1' });
      expect(received).toMatchObject({ name: 'file', sizeBytes: size, sha256: file.sha256 });
    },
  );

  it.skipIf(kind !== bigPeer)('receives a sparse file of 5 GiB', { timeout: 300_000 }, async () => {
    const file = await makeFile(0);
    await truncate(file.path, 5 * GIB);
    const { sha256 } = await sendFile(peer.url, file.path, { fileName: 'long.mp4' });
    const received = (await peer.nextForm()).at(-1);
    expect(received).toMatchObject({ fileName: 'long.mp4', sizeBytes: 5 * GIB, sha256 });
  });
});
