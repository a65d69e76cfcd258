// docs/errors.md, made from the error catalogue. To write it anew: node test/helpers/error-page.ts
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Disposition } from '../../shared/contract/catalog-entry.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../shared/contract/error-catalog.ts';

export const ERROR_PAGE = resolve(import.meta.dirname, '..', '..', 'docs', 'errors.md');

const QUEUE_DOES: Record<Disposition, string> = {
  retry: 'tries again later, with growing pauses',
  'wait-network': 'waits for the connection; no attempt is used up',
  'wait-site': 'waits for the end of the maintenance; no attempt is used up',
  'wait-keychain': 'waits for the keychain; no attempt is used up',
  'wait-disk': 'waits for the drive or share; no attempt is used up',
  'sign-in': 'waits until someone signs in again',
  ask: 'stops that upload and asks a person',
  permanent: 'does not try again by itself',
};

/** What the queue does where the disposition says too little: waits without a fault, warnings, and steps after an upload. */
const QUEUE_DOES_FOR: Partial<Record<ErrorCode, string>> = {
  'file.followed': 'goes on with the file where it is now',
  'keychain.wrong-passphrase': 'waits for the right passphrase; no attempt is used up',
  'profile.store-failing': 'tries again every few seconds; no attempt is used up',
  'upload.processing-slow': 'goes on looking, ever more rarely, and sends nothing again; captions are left to a person',
  'upload.looking': 'looks again within a minute; no attempt is used up',
  'upload.held-back': 'holds it until the transfers before it are through; no attempt is used up',
  'upload.starts-again': 'starts it again when it is resumed; no attempt is used up',
  'upload.too-slow': 'goes on sending: this is a warning',
  'upload.paused-until': 'goes on at that time; no attempt is used up',
  'upload.limit-zero': 'goes on when the limit allows it; no attempt is used up',
  'upload.duplicate-under-way': 'waits for the end of the other upload; no attempt is used up',
};

/** The upload itself is complete when its file or its tags make trouble. */
const AFTERWARDS_DOES: Partial<Record<Disposition, string>> = {
  retry: 'tries again some times, with growing pauses; the upload stays complete',
  ask: 'leaves it to a person; the upload stays complete',
  permanent: 'does not try again by itself; the upload stays complete',
};

function queueDoes(code: ErrorCode): string {
  const { disposition } = ERROR_CATALOG[code];
  const isAfterwards = /^(source|trash)\./.test(code) || code === 'upload.tags-missing';
  return QUEUE_DOES_FOR[code] ?? (isAfterwards ? AFTERWARDS_DOES[disposition] : null) ?? QUEUE_DOES[disposition];
}

const GROUPS: Record<string, string> = {
  input: 'Requests',
  internal: 'Requests',
  site: 'Sites and signing in',
  'sign-in': 'Sites and signing in',
  keychain: 'The keychain',
  profile: 'The profile folder',
  api: 'Answers of the library',
  network: 'The network',
  collection: 'Collections named by a person',
  file: 'Local files',
  upload: 'Uploads',
  source: 'Files after their upload',
  trash: 'Files after their upload',
};

const INTRODUCTION = `# Errors

<!-- Made from shared/contract/error-catalog.ts by test/helpers/error-page.ts. Don't edit by hand. -->

Every error that Mediadesk reports has a code that stays the same between versions, a sentence, and a next step. The
window and the command line show the same texts; with \`--json\` the command line writes
\`{"error": {"code", "message", "nextStep", "details"}}\`.

The next step of an upload’s error is about a Mediadesk that keeps running. Where the command line has ended, it says instead
which command continues.

The third column says what the upload queue does when an upload meets the error.
`;

function rowsOf(group: string): string[] {
  return Object.entries(ERROR_CATALOG)
    .filter(([code]) => (GROUPS[code.split('.')[0] ?? ''] ?? 'Other') === group)
    .map(([code, { message, nextStep }]) => {
      const next = nextStep ?? '–';
      return `| \`${code}\` | ${message}<br>${next} | ${queueDoes(code as ErrorCode)} |`;
    });
}

/** The whole page. */
export function errorPage(): string {
  const groups = [...new Set(Object.values(GROUPS)), 'Other'];
  const sections = groups.flatMap((group) => {
    const rows = rowsOf(group);
    if (rows.length === 0) return [];
    return [`\n## ${group}\n\n| code | message and next step | the queue |\n| --- | --- | --- |\n${rows.join('\n')}\n`];
  });
  return INTRODUCTION + sections.join('');
}

if (import.meta.main) writeFileSync(ERROR_PAGE, errorPage());
