import { type WatchRules, watchRulesSchema } from '../../../shared/contract/watch-rules.ts';
import type { FolderRules } from '../../../shared/model/watch/apply-rules.ts';
import { globProblem } from '../../../shared/model/watch/glob.ts';
import type { WatchedFileFacts } from '../../../shared/model/watch/watched-file.ts';
import { withRecordings } from '../../../shared/model/watch/with-recordings.ts';
import type { Prng } from './prng.ts';
import { SAMPLE_NOW, sampleFile } from './watch-samples.ts';

const FOLDERS = ['Physics', 'Optics', 'raw', 'Ü', '.git', '@eaDir', '_UNPACK_x', 'a.download'];
const STEMS = [
  'talk',
  'Talk',
  '2026-03-04 talk',
  '20260304_1015_talk',
  '._talk',
  '~$talk',
  'take1',
  'take2',
  'ü',
  'u\u0308',
];
const ENDINGS = ['.mp4', '.MP4', '.mov', '.wav', '.srt', '.en.vtt', '.jpg', '.part', '.tmp', '', '.pdf'];
const GLOB_PARTS = [
  '*',
  '**/',
  'talk',
  'take',
  '.mp4',
  '.{mp4,mov}',
  '[0-9]',
  '?',
  'Physics/',
  '/',
  'raw',
  '[!t]',
  'ü',
  '.srt',
];
const SIZES = [0, 1, 999, 1000, 1_000_000];
const TIMES = [0, 1, 59_999, 60_000, 3_600_000, -3_600_000];

function listOf<T>(prng: Prng, most: number, make: () => T): T[] {
  return Array.from({ length: prng.int(0, most) }, make);
}

function glob(prng: Prng): string {
  for (;;) {
    const text = listOf(prng, 4, () => prng.pick(GLOB_PARTS)).join('');
    if (globProblem(text) === null) return text;
  }
}

function conditions(prng: Prng): WatchRules['defaults']['conditions'] {
  return {
    include: prng.chance(0.6) ? listOf(prng, 3, () => glob(prng)) : [],
    exclude: prng.chance(0.3) ? listOf(prng, 2, () => glob(prng)) : [],
    minSizeBytes: prng.chance(0.3) ? prng.pick(SIZES) : 0,
    minAgeMs: prng.chance(0.3) ? prng.pick([0, 60_000, 3_600_000]) : 0,
  };
}

function settings(prng: Prng) {
  const target = { kind: 'ref', ref: prng.pick(['Inbox', 'Lectures']) } as const;
  const collections = [
    { kind: 'fixed', collection: target },
    { kind: 'by-folder', parent: target, levels: prng.pick(['first', 'every'] as const), create: prng.chance(0.5) },
  ] as const;
  return {
    siteId: prng.pick(['one', 'two']),
    collection: prng.pick(collections),
    titleTemplate: prng.pick(['{name}', '{day} {clean}', '{folders} {nnn}', '{top}: {file}', '{date}']),
    tags: listOf(prng, 2, () => prng.pick(['a', 'b'])),
    publish: prng.pick([{ kind: 'draft' }, { kind: 'now' }, { kind: 'after', delayMs: 60_000 }] as const),
    priority: prng.pick(['high', 'normal', 'low'] as const),
    sidecars: prng.chance(0.6),
    source: prng.pick([{ kind: 'keep' }, { kind: 'trash' }, { kind: 'move', folder: '/done' }] as const),
  };
}

/** Returns any rules that can be saved. */
export function anyRules(prng: Prng): FolderRules {
  let count = 0;
  const rules = listOf(prng, 5, () => {
    count += 1;
    const own = Object.entries(settings(prng)).filter(() => prng.chance(0.4));
    const upload = { kind: 'upload', settings: Object.fromEntries(own) } as const;
    return {
      id: `r${count}`,
      name: `Rule ${count}`,
      enabled: prng.chance(0.9),
      conditions: conditions(prng),
      action: prng.chance(0.75) ? upload : ({ kind: 'skip' } as const),
    };
  });
  const defaults = { conditions: conditions(prng), settings: settings(prng) };
  const parsed = watchRulesSchema.parse({ existingFiles: prng.pick(['upload', 'skip']), rules, defaults });
  return { ...parsed, folderName: 'Station' };
}

/** Returns any files of a folder, each path once, with the recordings that sidecars belong to. */
export function anyFiles(prng: Prng): WatchedFileFacts[] {
  const paths = new Set(
    listOf(prng, 30, () =>
      [...listOf(prng, 3, () => prng.pick(FOLDERS)), prng.pick(STEMS) + prng.pick(ENDINGS)].join('/'),
    ),
  );
  const files = [...paths].map((path, index) => {
    const unchangedSinceMs = SAMPLE_NOW - prng.pick(TIMES);
    return sampleFile(path, {
      kind: prng.chance(0.05) ? 'other' : 'file',
      sizeBytes: prng.pick(SIZES),
      number: index + 1,
      unchangedSinceMs,
      mtimeMs: prng.pick([0, SAMPLE_NOW, SAMPLE_NOW + 1e10]),
      firstSeenMs: unchangedSinceMs - prng.pick([0, 5000]),
      isExisting: prng.chance(0.2),
      isHandled: prng.chance(0.1),
    });
  });
  return withRecordings(files);
}
