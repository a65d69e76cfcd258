import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeFeed, newFeed, notesOf, openFeed, readKeys, signFeed } from '../../../build/packages/feed.ts';
import { builtUpdateSource } from '../../../build/packages/update-source.ts';
import { makeFeedKeys } from '../../helpers/updates/feed-server.ts';
import { judgeFeed } from '../../helpers/updates/judge-feed.ts';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const [keys, spare, stranger] = [makeFeedKeys(), makeFeedKeys(), makeFeedKeys()];
const PUBLIC = [keys.publicKey, spare.publicKey];
const pemOf = ({ privateKey }: typeof keys) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-feed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function release(name = 'Mediadesk.AppImage') {
  const path = join(folder, name);
  writeFileSync(path, 'the new version');
  const of = { platform: 'linux', arch: 'x64', version: '0.2.0', notes: 'Faster uploads.', blocked: [], files: [path] };
  return newFeed(of);
}

const judged = (text: string, ownVersion = '0.1.0') =>
  judgeFeed(Buffer.from(text), {
    keys: PUBLIC,
    ownVersion,
    platform: 'linux',
    arch: 'x64',
    now: NOW.getTime(),
    newestSeen: null,
    extension: '.appimage',
  });

describe('a feed that the release signs', () => {
  it('is accepted by the app, with everything in it', () => {
    const feed = changeFeed(
      release(),
      { block: ['0.1.5'], unblock: [], stagingPercentage: 10, minimumVersion: '0.1.0' },
      NOW,
    );
    const text = signFeed(
      feed,
      readKeys({ MEDIADESK_UPDATE_SIGNING_KEY: pemOf(keys), MEDIADESK_UPDATE_KEYS: PUBLIC.join(' ') }),
    );
    const verdict = judged(text);
    expect(verdict).toEqual({ kind: 'newer', feed, file: feed.files[0] });
    expect(verdict.feed).toMatchObject({ blocked: ['0.1.5'], stagingPercentage: 10, releaseNotes: 'Faster uploads.' });
  });

  it('is read by electron-updater in the same way', () => {
    const feed = changeFeed(release(), { block: [], unblock: [], stagingPercentage: 10 }, NOW);
    const { version, files, releaseDate, stagingPercentage, releaseNotes } = feed;
    const read = parseUpdateInfo(signFeed(feed, keys), 'latest-linux.yml', new URL('https://updates.example.org/'));
    expect(read).toMatchObject({ version, files, releaseDate, stagingPercentage, releaseNotes });
  });

  it('can be signed again with a larger share and a blocked version, by the spare key', () => {
    const path = join(folder, 'latest-linux.yml');
    writeFileSync(
      path,
      signFeed(changeFeed(release(), { block: ['0.1.4'], unblock: [], stagingPercentage: 10 }, NOW), keys),
    );
    const later = new Date(NOW.getTime() + 1_000);
    const again = changeFeed(
      openFeed(path, PUBLIC),
      { stagingPercentage: 50, block: ['0.1.5'], unblock: ['0.1.4'] },
      later,
    );
    expect(judged(signFeed(again, spare)).feed).toMatchObject({
      stagingPercentage: 50,
      blocked: ['0.1.5'],
      releaseDate: later.toISOString(),
    });
  });

  it('is never a changed or foreign one that was signed again', () => {
    const path = join(folder, 'latest-linux.yml');
    const text = signFeed(changeFeed(release(), { block: [], unblock: [] }, NOW), keys);
    writeFileSync(path, text.replace('0.2.0', '0.9.0'));
    expect(() => openFeed(path, PUBLIC)).toThrow('not signed');
    writeFileSync(path, text);
    expect(() => openFeed(path, [stranger.publicKey])).toThrow('not signed');
  });

  it('is not made for a name, a version or a share that apps refuse', () => {
    expect(() => release('Mediadesk Setup.exe')).toThrow('no name');
    expect(() =>
      signFeed({ ...changeFeed(release(), { block: [], unblock: [] }, NOW), version: 'next' }, keys),
    ).toThrow('version');
    expect(() => signFeed(changeFeed(release(), { block: ['all'], unblock: [] }, NOW), keys)).toThrow('blocked');
    expect(() =>
      signFeed(changeFeed(release(), { block: [], unblock: [], stagingPercentage: 110 }, NOW), keys),
    ).toThrow('staging');
  });

  it('is not signed by a key that no app knows', () => {
    const environment = { MEDIADESK_UPDATE_KEYS: PUBLIC.join(' ') };
    expect(() => readKeys({ ...environment, MEDIADESK_UPDATE_SIGNING_KEY: pemOf(stranger) })).toThrow('none of');
    expect(() => readKeys(environment)).toThrow('missing');
  });
});

describe('the notes of a feed', () => {
  const changelog =
    '# Changes\n\n## 0.2.0\n\n- **Faster** uploads, see [the guide](docs/a.md).\n- `b`\n\n## 0.1.0\n\n- First.\n';

  it('are the section of the version as plain text', () => {
    expect(notesOf(changelog, '0.2.0')).toBe('- Faster uploads, see the guide.\n- b');
    expect(notesOf(changelog, '0.1.0')).toBe('- First.');
    expect(() => notesOf(changelog, '0.3.0')).toThrow('0.3.0');
  });

  it('are cut at a line when they are long', () => {
    const text = notesOf(`# Changes\n\n## 0.2.0\n\n${'- A line that is there many times.\n'.repeat(1_000)}`, '0.2.0');
    expect(text.length).toBeLessThan(8_010);
    expect(text.endsWith('many times.\n…')).toBe(true);
  });
});

describe('the build', () => {
  const feed = 'https://updates.example.org/mediadesk/';
  const of = (MEDIADESK_UPDATE_FEED: string, MEDIADESK_UPDATE_KEYS: string) =>
    builtUpdateSource({ MEDIADESK_UPDATE_FEED, MEDIADESK_UPDATE_KEYS });

  it('has a source of updates when the environment names it, and none otherwise', () => {
    expect(of(feed, PUBLIC.join('\n'))).toEqual({ feedUrl: feed, keys: PUBLIC });
    expect(builtUpdateSource({})).toBeNull();
    expect(of('', '')).toBeNull();
  });

  it('fails for an address without encryption, one that is no folder, and for wrong keys', () => {
    expect(() => of('http://updates.example.org/', PUBLIC.join(' '))).toThrow('https');
    expect(() => of('http://127.0.0.1/', PUBLIC.join(' '))).toThrow('https');
    expect(() => of('https://updates.example.org/mediadesk', PUBLIC.join(' '))).toThrow('folder');
    expect(() => of(`${feed}?a`, PUBLIC.join(' '))).toThrow('folder');
    expect(() => of('', PUBLIC.join(' '))).toThrow('https');
    expect(() => of(feed, '')).toThrow('two different');
    expect(() => of(feed, keys.publicKey)).toThrow('two different');
    expect(() => of(feed, `${keys.publicKey} ${keys.publicKey}`)).toThrow('two different');
    const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const wrong = rsa.export({ format: 'der', type: 'spki' }).toString('base64');
    expect(() => of(feed, `${keys.publicKey} ${wrong}`)).toThrow('rsa');
    expect(() => of(feed, `${keys.publicKey} nonsense`)).toThrow();
  });
});
