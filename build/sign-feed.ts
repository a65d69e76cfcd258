// Makes and signs the feed of one system: the file that tells installed apps which version is the newest.
//
//   node build/sign-feed.ts --to DIR --platform linux --arch x64 --version 1.2.0 [options] FILE…
//   node build/sign-feed.ts --to DIR --from latest-linux.yml [options]
//
// The first form makes a feed for the files of a release, with the notes of the change log. `--previous latest-linux.yml` keeps the
// versions that the published feed blocks. The second form signs a published feed again, with the date of now: it is
// refused by apps after 30 days. Options: --stage PERCENT, --minimum VERSION, --block VERSION (several times), --unblock VERSION.
//
// MEDIADESK_UPDATE_SIGNING_KEY is the private key (PEM), MEDIADESK_UPDATE_KEYS are the public keys that the apps were built with.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { feedName } from '../shared/model/updates/feed-text.ts';
import { changeFeed, type FeedChanges, newFeed, notesOf, openFeed, readKeys, signFeed } from './packages/feed.ts';

const { values, positionals } = parseArgs({
  options: {
    to: { type: 'string' },
    from: { type: 'string' },
    platform: { type: 'string' },
    arch: { type: 'string', default: 'x64' },
    version: { type: 'string' },
    previous: { type: 'string' },
    stage: { type: 'string' },
    minimum: { type: 'string' },
    block: { type: 'string', multiple: true, default: [] },
    unblock: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});

function required(name: 'to' | 'platform' | 'version'): string {
  const value = values[name];
  if (value === undefined) throw new Error(`--${name} is missing.`);
  return value;
}

const keys = readKeys(process.env);
const changes: FeedChanges = {
  ...(values.stage === undefined ? {} : { stagingPercentage: Number(values.stage) }),
  ...(values.minimum === undefined ? {} : { minimumVersion: values.minimum }),
  block: values.block,
  unblock: values.unblock,
};
const start =
  values.from === undefined
    ? newFeed({
        platform: required('platform'),
        arch: values.arch,
        version: required('version'),
        notes: notesOf(readFileSync(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8'), required('version')),
        blocked: values.previous === undefined ? [] : openFeed(values.previous, keys.publicKeys).blocked,
        files: positionals,
      })
    : openFeed(values.from, keys.publicKeys);
const feed = changeFeed(start, changes, new Date());
const path = join(required('to'), feedName(feed.platform, feed.arch));
writeFileSync(path, signFeed(feed, keys));
console.log(`${path}: ${feed.version}, ${feed.stagingPercentage} %, blocked: ${feed.blocked.join(', ') || 'none'}`);
