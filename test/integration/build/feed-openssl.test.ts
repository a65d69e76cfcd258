// Another implementation of Ed25519 signs and verifies feeds, by the commands of docs/releases.md.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signedText, writeFeed } from '../../../shared/model/updates/feed-text.ts';
import { makeFeed } from '../../helpers/updates/feed-server.ts';
import { judgeFeed } from '../../helpers/updates/judge-feed.ts';

let folder: string;
let publicKey: string;
const at = (name: string) => join(folder, name);
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mediadesk-openssl-'));
  openssl('genpkey', '-algorithm', 'ed25519', '-out', at('key.pem'));
  publicKey = openssl('pkey', '-in', at('key.pem'), '-pubout', '-outform', 'DER').toString('base64');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const judged = (text: string) =>
  judgeFeed(Buffer.from(text), {
    keys: [publicKey],
    ownVersion: '0.0.1',
    platform: 'linux',
    arch: 'x64',
    now: Date.now(),
    newestSeen: null,
    extension: '.appimage',
  });

it('accepts a feed that openssl signed', () => {
  const feed = makeFeed();
  writeFileSync(at('text'), signedText(feed));
  openssl('pkeyutl', '-sign', '-inkey', at('key.pem'), '-rawin', '-in', at('text'), '-out', at('signature'));
  expect(judged(writeFeed(feed, readFileSync(at('signature')).toString('base64'))).kind).toBe('newer');
});

it('makes a feed of a release that openssl verifies and the app accepts', () => {
  const spare = openssl('genpkey', '-algorithm', 'ed25519', '-out', at('spare.pem')) && at('spare.pem');
  const spareKey = openssl('pkey', '-in', spare, '-pubout', '-outform', 'DER').toString('base64');
  writeFileSync(at('Mediadesk.AppImage'), 'the new version');
  const program = resolve(import.meta.dirname, '../../../build/sign-feed.ts');
  const options = [
    '--to',
    folder,
    '--platform',
    'linux',
    '--version',
    '0.1.0',
    '--stage',
    '10',
    at('Mediadesk.AppImage'),
  ];
  execFileSync(process.execPath, [program, ...options], {
    env: {
      ...process.env,
      MEDIADESK_UPDATE_SIGNING_KEY: readFileSync(at('key.pem'), 'utf8'),
      MEDIADESK_UPDATE_KEYS: `${publicKey} ${spareKey}`,
    },
  });
  const text = readFileSync(at('latest-linux.yml'), 'utf8');
  expect(judged(text)).toMatchObject({ kind: 'newer', feed: { version: '0.1.0', stagingPercentage: 10 } });

  const lines = text.split('\n').filter((line) => !line.startsWith('signature: '));
  const signature = /signature: "(.*)"/.exec(text)?.[1] ?? '';
  writeFileSync(at('text'), ['Mediadesk feed 1', ...lines].join('\n'));
  writeFileSync(at('signature'), Buffer.from(signature, 'base64'));
  openssl('pkey', '-in', at('key.pem'), '-pubout', '-out', at('public.pem'));
  const verify = [
    '-verify',
    '-pubin',
    '-inkey',
    at('public.pem'),
    '-rawin',
    '-in',
    at('text'),
    '-sigfile',
    at('signature'),
  ];
  expect(openssl('pkeyutl', ...verify).toString()).toContain('Signature Verified Successfully');
});
