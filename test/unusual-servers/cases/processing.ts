import { json, withJson } from '../server/wire.ts';
import { casesOf } from '../suite/case.ts';
import { instead, on, onJson } from './parts.ts';

// biome-ignore lint/suspicious/noExplicitAny: a case changes JSON of every shape
const shown = (change: (file: any) => unknown) =>
  onJson(['file', 'list-files', 'create-file'], (value) =>
    value.items ? { ...value, items: value.items.map(change) } : value.id ? change(value) : value,
  );

export const PROCESSING = casesOf('processing', (it) => {
  it('instant', 'processes files at once', { library: { processingMs: 0 } });
  it(
    'five-minutes',
    'processes files for five minutes',
    { library: { processingMs: 300_000 } },
    { files: [{ name: 'Lecture.mp4', bytes: 3_000 }], speed: 100, expect: { requests: 900 } },
  );
  it(
    'noticed-late',
    'shows a file as uploading for a minute after its notification',
    { library: { noticeMs: 60_000 } },
    { expect: { requests: 400 } },
  );
  it(
    'fails',
    'ends the processing with an error',
    { library: { processingEnds: 'error' } },
    { expect: { fails: 'upload.processing-failed', leftovers: 0 } },
  );
  it(
    'unknown-word',
    'has the status transcoding instead of processing',
    on('file', (own) =>
      withJson(own, (file) => (file.status === 'processing' ? { ...file, status: 'transcoding' } : file)),
    ),
  );
  it(
    'queued-word',
    'has the status queued before the processing',
    {
      ...on('file', (own) =>
        withJson(own, (file) => (file.status === 'uploading' ? { ...file, status: 'queued' } : file)),
      ),
      library: { noticeMs: 3_000 },
    },
    { expect: { requests: 60 } },
  );
  it(
    'size-null',
    'has null as the size',
    shown((file) => ({ ...file, size: null })),
  );
  it(
    'size-absent',
    'leaves out the size',
    shown(({ size: _, ...file }) => file),
  );
  it(
    'size-text',
    'writes the size as text',
    shown((file) => ({ ...file, size: String(file.size) })),
  );
  it(
    'size-zero-meanwhile',
    'has 0 as the size until a file is complete',
    shown((file) => (file.status === 'complete' ? file : { ...file, size: 0 })),
  );
  it(
    'encodings-null',
    'has null as encodings',
    shown((file) => ({ ...file, encodings: null })),
  );
  it(
    'encodings-absent',
    'leaves out encodings',
    shown(({ encodings: _, ...file }) => file),
  );
  it(
    'encodings-failed',
    'has an encoding in error beside a complete file',
    shown((file) => ({
      ...file,
      encodings: [
        { ...file, id: `${file.id}-hd`, source: 'encoding', encoding_profile: 'hd', status: 'error', encodings: null },
      ],
    })),
  );
  it(
    'encodings-odd',
    'has unreadable encodings',
    shown((file) => ({ ...file, encodings: [{ profile: 'hd' }, 'sd'] })),
  );
  it(
    'numbers-text',
    'writes numbers as text',
    shown((file) => ({ ...file, duration: '12.5', width: '1920', height: '1080', max_bitrate: '900k' })),
  );
  it(
    'numbers-null',
    'has null as container, type, source, links and name',
    shown((file) => ({ ...file, container: null, type: null, source: null, links: null, display_name: null })),
  );
  it(
    'links-nested',
    'has objects and lists as links',
    shown((file) => ({ ...file, links: { self: { href: file.links.self }, alternates: [] } })),
  );
  it(
    'late-to-read',
    'answers 404 for a new file for ten seconds',
    { library: { fileLagMs: 10_000 } },
    { expect: { retries: 1, requests: 90 } },
  );
  it(
    '404-once',
    'answers 404 once for a file that it processes',
    {
      ...instead('file', ({ ids }, world) =>
        world.times(`look ${ids[1]}`) === 2 ? json(404, { message: 'Nothing here.' }) : undefined,
      ),
      library: { processingMs: 8_000 },
    },
    { expect: { retries: 1, requests: 90 } },
  );
  it(
    '500-often',
    'answers 500 to every second read of a file',
    instead('file', ({ ids }, world) =>
      world.times(`look ${ids[1]}`) % 2 === 1 ? json(500, { message: 'Oops.' }) : undefined,
    ),
    { expect: { retries: 3, requests: 120 } },
  );
  it(
    'upper-case',
    'writes states in capitals',
    shown((file) => ({ ...file, status: String(file.status).toUpperCase() })),
  );
  it(
    'name-changed',
    'renames files',
    shown((file) => ({ ...file, display_name: `${file.id}.bin` })),
  );
  it(
    'type-changed',
    'shows a video as a blob',
    shown((file) => ({ ...file, type: 'blob', container: 'bin' })),
  );
});
