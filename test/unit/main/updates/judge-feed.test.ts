import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JudgeFacts } from '../../../../electron/main/updates/judge-feed.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import {
  type Feed,
  isPlainName,
  MOST_FEED_BYTES,
  signedText,
  writeFeed,
} from '../../../../shared/model/updates/feed-text.ts';
import { feedFile, makeFeed, makeFeedKeys, signatureOf, signedFeed } from '../../../helpers/updates/feed-server.ts';
import { judgeFeed } from '../../../helpers/updates/judge-feed.ts';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const DAY = 24 * 3_600_000;
const keys = makeFeedKeys();
const spare = makeFeedKeys();
const stranger = makeFeedKeys();

const facts = (changes: Partial<JudgeFacts> = {}): JudgeFacts => ({
  keys: [keys.publicKey, spare.publicKey],
  ownVersion: '0.1.0',
  platform: 'linux',
  arch: 'x64',
  now: NOW,
  newestSeen: null,
  extension: '.appimage',
  ...changes,
});
const feed = (changes: Partial<Feed> = {}) => makeFeed({ releaseDate: new Date(NOW).toISOString(), ...changes });
const signed = (changes: Partial<Feed> = {}) => signedFeed(feed(changes), keys);
const ofSystem = (changes: Partial<Feed>) => signed(changes);
const judge = (text: string | Uint8Array, changes: Partial<JudgeFacts> = {}) =>
  judgeFeed(typeof text === 'string' ? Buffer.from(text) : text, facts(changes));

/** Returns the code of the refusal, with its reason where one code has several. */
function refusal(text: string | Uint8Array, changes: Partial<JudgeFacts> = {}): string {
  try {
    return judge(text, changes).kind;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = error.details?.reason;
    return typeof reason === 'string' ? `${error.code} ${reason}` : error.code;
  }
}

/** Replaces a part of a signed text, which is there once. */
function changed(text: string, from: string, to: string): string {
  expect(text.split(from)).toHaveLength(2);
  return text.replace(from, to);
}

const hash = feedFile('x', Buffer.from('another content')).sha512;

const FORGED: readonly [what: string, text: () => string | Uint8Array, code: string, facts?: Partial<JudgeFacts>][] = [
  ['too large', () => `${signed()}${' '.repeat(MOST_FEED_BYTES)}`, 'update.feed-too-large'],
  [
    'bytes that are no text',
    () => Buffer.concat([Buffer.from(signed()), Buffer.from([0xff])]),
    'update.feed-malformed not-utf8',
  ],
  ['a web page', () => '<!doctype html>\n<title>Sign in</title>\n', 'update.feed-malformed not-a-line'],
  ['empty', () => '', 'update.feed-malformed missing-member'],
  ['cut off', () => signed().slice(0, 200), 'update.feed-malformed invalid-member'],
  ['without a signature', () => signed().replace(/signature: .*\n/, ''), 'update.feed-unsigned'],
  ['with an empty signature', () => signed().replace(/signature: .*\n/, 'signature: ""\n'), 'update.feed-unsigned'],
  [
    'with half a signature',
    () => signed().replace(/signature: "..../, 'signature: "'),
    'update.feed-malformed invalid-member',
  ],
  ['signed by a stranger', () => signedFeed(feed(), stranger), 'update.signature-wrong'],
  [
    'with the signature of another feed',
    () => writeFeed(feed(), signatureOf(feed({ version: '0.3.0' }), keys)),
    'update.signature-wrong',
  ],
  [
    'signed without the first line',
    () => {
      const lines = signedText(feed()).split('\n').slice(1).join('\n');
      return writeFeed(feed(), sign(null, Buffer.from(lines), keys.privateKey).toString('base64'));
    },
    'update.signature-wrong',
  ],
  ['with another version', () => changed(signed(), '"0.2.0"', '"0.9.0"'), 'update.signature-wrong'],
  ['with another hash', () => changed(signed(), feed().files[0]?.sha512 ?? '', hash), 'update.signature-wrong'],
  ['with another size', () => changed(signed(), '"size":15', '"size":16'), 'update.signature-wrong'],
  ['with another file', () => changed(signed(), 'Mediadesk-x86_64', 'Mediadesk-evil'), 'update.signature-wrong'],
  ['with another date', () => changed(signed(), '2026-11-29', '2026-11-28'), 'update.signature-wrong'],
  [
    'with another share',
    () => changed(signed(), 'stagingPercentage: 100', 'stagingPercentage: 10'),
    'update.signature-wrong',
  ],
  [
    'without its blocked versions',
    () => changed(signed({ blocked: ['0.1.5'] }), '["0.1.5"]', '[]'),
    'update.signature-wrong',
  ],
  [
    'without its minimum version',
    () => changed(signed({ minimumVersion: '0.1.9' }), '"0.1.9"', 'null'),
    'update.signature-wrong',
  ],
  ['with other notes', () => changed(signed({ releaseNotes: 'New' }), '"New"', '"Call 555"'), 'update.signature-wrong'],
  [
    'of another system, renamed',
    () => changed(ofSystem({ platform: 'win32' }), 'platform: "win32"', 'platform: "linux"'),
    'update.signature-wrong',
  ],
  ['for another system', () => ofSystem({ platform: 'win32' }), 'update.other-system'],
  ['for another processor', () => ofSystem({ arch: 'arm64' }), 'update.other-system'],
  ['of another channel', () => ofSystem({ channel: 'nightly' }), 'update.other-system'],
  [
    'with a member twice',
    () => changed(signed(), 'channel:', 'version: "0.9.0"\nchannel:'),
    'update.feed-malformed duplicate-member',
  ],
  [
    'with a member twice in a file',
    () => changed(signed(), '"size":15', '"size":99,"size":15'),
    'update.feed-malformed another-text',
  ],
  [
    'with an unknown member',
    () => changed(signed(), 'channel:', 'packages: {}\nchannel:'),
    'update.feed-malformed unknown-member',
  ],
  [
    'with an unknown member of a file',
    () => changed(signed(), '"size":15', '"size":15,"isAdminRightsRequired":true'),
    'update.feed-malformed invalid-member',
  ],
  ['with a comment', () => changed(signed(), 'channel:', '# harmless\nchannel:'), 'update.feed-malformed not-a-line'],
  ['with a second document', () => `${signed()}---\nversion: "0.9.0"\n`, 'update.feed-malformed not-a-line'],
  [
    'with an anchor',
    () => changed(signed(), 'version: "0.2.0"', 'version: &a "0.2.0"'),
    'update.feed-malformed invalid-member',
  ],
  [
    'with its lines in another order',
    () => signed().split('\n').slice(0, 11).toReversed().concat('').join('\n'),
    'update.feed-malformed another-text',
  ],
  ['with other spaces', () => changed(signed(), 'blocked: []', 'blocked: [ ]'), 'update.feed-malformed another-text'],
  ['with other line ends', () => signed().replaceAll('\n', '\r\n'), 'update.feed-malformed another-text'],
  ['with a byte order mark', () => `\uFEFF${signed()}`, 'update.feed-malformed not-a-line'],
  [
    'with a number in another form',
    () => changed(signed(), 'stagingPercentage: 100', 'stagingPercentage: 1e2'),
    'update.feed-malformed another-text',
  ],
  ['with a version that is none', () => signed({ version: '0.2' }), 'update.feed-malformed invalid-member'],
  ['with a share above 100', () => signed({ stagingPercentage: 101 }), 'update.feed-malformed invalid-member'],
  [
    'with a file of no bytes',
    () => signed({ files: [{ ...feedFile('a.AppImage', Buffer.from('')) }] }),
    'update.feed-malformed invalid-member',
  ],
  ['31 days old', () => signed(), 'update.feed-expired', { now: NOW + 31 * DAY }],
  ['from the day after tomorrow', () => signed(), 'update.feed-in-future', { now: NOW - 2 * DAY }],
  ['older than one before', () => signed(), 'update.feed-replayed', { newestSeen: NOW + 1 }],
  ['with an older version', () => signed({ version: '0.0.9' }), 'update.version-older'],
  ['with a version before the release', () => signed({ version: '0.1.0-rc.1' }), 'update.version-older'],
  ['that blocks its own version', () => signed({ blocked: ['0.2.0'] }), 'update.version-blocked'],
  ['that blocks this version', () => signed({ blocked: ['0.1.0'] }), 'update.own-version-blocked'],
  [
    'that blocks this version, which is the newest',
    () => signed({ version: '0.1.0', blocked: ['0.1.0'] }),
    'update.own-version-blocked',
  ],
  ['for newer versions only', () => signed({ minimumVersion: '0.1.1' }), 'update.version-too-new'],
  ['without a file', () => signed({ files: [] }), 'update.no-package'],
  [
    'with files of other kinds',
    () => signed({ files: [feedFile('mediadesk.deb', Buffer.from('deb'))] }),
    'update.no-package',
  ],
  [
    'with two files of the kind',
    () => signed({ files: ['a.AppImage', 'b.AppImage'].map((name) => feedFile(name, Buffer.from(name))) }),
    'update.no-package',
  ],
  ...[
    'https://evil.example/a.AppImage',
    '//evil.example/a.AppImage',
    '/a.AppImage',
    '../a.AppImage',
    'x/a.AppImage',
    'x\\a.AppImage',
    '.a.AppImage',
    'a%2f.AppImage',
    'a.AppImage?x',
    'C:a.AppImage',
    'a\n.AppImage',
  ].map((name): [string, () => string, string] => [
    `with a file named ${JSON.stringify(name)}`,
    () => signed({ files: [feedFile(name, Buffer.from(name))] }),
    'update.file-name-refused',
  ]),
];

describe('a feed is refused', () => {
  it.each(FORGED)('when it is %s', (_what, text, code, changes) => {
    expect(refusal(text(), changes)).toBe(code);
  });

  it('with a sentence and a next step for every reason', () => {
    const codes = new Set(FORGED.map(([, , code]) => (code.split(' ')[0] ?? '') as ErrorCode));
    for (const code of codes) {
      expect(ERROR_CATALOG[code].message).toMatch(/^[A-Z].*\.$/);
      expect(ERROR_CATALOG[code].nextStep).not.toBeNull();
    }
    expect(codes.size).toBeGreaterThanOrEqual(12);
  });
});

describe('a feed is accepted', () => {
  it('when the key in use signed a newer version', () => {
    expect(judge(signed())).toEqual({ kind: 'newer', feed: feed(), file: feed().files[0] });
  });

  it('when the spare key signed it', () => {
    expect(judge(signedFeed(feed(), spare)).kind).toBe('newer');
  });

  it('as no newer version when it names this version', () => {
    expect(judge(signed({ version: '0.1.0' })).kind).toBe('current');
  });

  it('within its 30 days, and a day before its date', () => {
    expect(judge(signed(), { now: NOW + 30 * DAY }).kind).toBe('newer');
    expect(judge(signed(), { now: NOW - DAY }).kind).toBe('newer');
  });

  it('again, as long as it is the newest one that was seen', () => {
    expect(judge(signed(), { newestSeen: NOW }).kind).toBe('newer');
  });

  it('without a file of its own when another program installs', () => {
    const files = [feedFile('mediadesk.deb', Buffer.from('deb'))];
    expect(judge(signed({ files, minimumVersion: '0.1.5' }), { extension: null })).toMatchObject({
      kind: 'newer',
      file: null,
    });
  });

  it.each([
    ['darwin', 'arm64', '.zip', 'Mediadesk-0.2.0-arm64-mac.zip'],
    ['win32', 'x64', '.exe', 'Mediadesk-Setup-0.2.0.exe'],
    ['linux', 'x64', '.appimage', 'Mediadesk.AppImage'],
  ] as const)('with the file that %s %s installs', (platform, arch, extension, name) => {
    const files = ['Mediadesk.dmg', 'mediadesk.deb', name].map((each) => feedFile(each, Buffer.from(each)));
    expect(judge(signed({ platform, arch, files }), { platform, arch, extension })).toMatchObject({
      file: { url: name },
    });
  });

  it('with notes in any language and form', () => {
    const releaseNotes = 'Zeile 1\nLigne « 2 »\n\u2028 "quoted" \\ 日本 😀 key: value';
    expect(judge(signed({ releaseNotes })).feed.releaseNotes).toBe(releaseNotes);
  });
});

describe('the name of a file', () => {
  it.each(['Mediadesk-0.2.0.AppImage', 'mediadesk_0.2.0_amd64.deb', 'a'])('may be %s', (name) => {
    expect(isPlainName(name)).toBe(true);
  });
  it.each(['', '.', '..', 'a..b', 'a.', 'a b', 'é', 'a'.repeat(129), 'a/b', 'a:b', '-a'])('must not be %j', (name) => {
    expect(isPlainName(name)).toBe(false);
  });
});
