// docs/errors.md, made from the error catalog. To write it again: node test/helpers/docs/error-page.ts
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Disposition } from '../../../shared/contract/errors/catalog-entry.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import { ERROR_GROUPS, MEANINGS } from './error-page-texts.ts';

export const ERROR_PAGE = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'errors.md');

const MEDIADESK_DOES: Record<Disposition, string> = {
  retry: 'Tries again, with longer and longer breaks.',
  'wait-network': 'Waits for the connection, then resumes.',
  'wait-site': 'Waits for the library, then resumes.',
  'wait-keychain': 'Waits for the keychain, then resumes.',
  'wait-disk': 'Waits for the drive or share, then resumes.',
  'sign-in': 'Waits until you sign in, then resumes.',
  ask: 'Stops this upload and waits for you.',
  permanent: 'Stops. Trying again gives the same result.',
};

/** What Mediadesk does where the disposition says too little: planned waits, warnings, and errors outside of the queue. */
const MEDIADESK_DOES_FOR: Partial<Record<ErrorCode, string>> = {
  'network.gateway': 'Waits for the library, then resumes.',
  'site.unknown': 'Changes nothing.',
  'sign-in.in-progress': 'Continues with the other sign-in.',
  'sign-out.unsent': 'Changes nothing.',
  'collection.changed': 'Changes nothing.',
  'collection.slug-taken': 'Changes nothing.',
  'collection.grew': 'Deletes nothing.',
  'collection.not-empty': 'Keeps the collection.',
  'collection.not-created-yet': 'Changes nothing.',
  'library.too-many-searches': 'Changes nothing.',
  'file.pair-unclear': 'Skips this file, and uploads the others.',
  'file.name-not-utf8': 'Skips these files, and uploads the others.',
  'file.hidden': 'Skips this file, and uploads the others.',
  'file.package': 'Skips this folder, and uploads the others.',
  'details.entered': 'Skips this file, and uploads the others.',
  'download.damaged': 'Deletes the downloaded file.',
  'download.size-differs': 'Saves nothing.',
  'file.followed': 'Continues with the file in its new place.',
  'keychain.wrong-passphrase': 'Waits for the right passphrase.',
  'profile.store-failing': 'Tries again every few seconds.',
  'profile.disk-full': 'Ends, and changes nothing.',
  'profile.damaged': 'Continues with the new queue.',
  'profile.rows-missing': 'Continues with the other uploads.',
  'profile.edits-missing': 'Continues with the other edits.',
  'profile.setting-unreadable': 'Continues without it.',
  'library.copy-damaged': 'Makes the copy again.',
  'library.needs-copy': 'Keeps making the copy.',
  'upload.processing-slow': 'Keeps checking, less and less often. Sends nothing again.',
  'upload.looking': 'Checks again within a minute.',
  'upload.held-back': 'Waits for the uploads before it, then starts.',
  'upload.starts-again': 'Starts the file again when you resume.',
  'upload.too-slow': 'Keeps sending. This is a warning.',
  'upload.title-fallback': 'Uploads the file. This is a note.',
  'upload.paused-until': 'Resumes at the end of the pause.',
  'upload.limit-zero': 'Resumes when the timetable allows it.',
  'upload.duplicate-under-way': 'Waits for the other upload.',
  'upload.duplicate-skipped': 'Skips this file, and uploads the others.',
  'upload.same-file': 'Skips this file, and uploads the others.',
  'upload.item-unconfirmed': 'Keeps the details as they were.',
};

/** What Mediadesk does about errors that other work than an upload can get, too. The key is the first part of the code. */
const AREA_DOES: Readonly<Record<string, Partial<Record<Disposition, string>>>> = {
  'sign-in': { permanent: 'Ends this sign-in.' },
  api: { ask: 'Stops this upload or edit and waits for you.' },
  internal: { ask: 'Stops this upload or edit and waits for you.' },
  update: {
    permanent: 'Installs nothing.',
    ask: 'Installs nothing, and waits for you.',
    'wait-network': 'Installs nothing, and looks again later.',
  },
  admin: { ask: 'Makes no further change, and waits for you.' },
  content: { retry: 'Tries again a few times, then stops.', ask: 'Stops playing, showing or downloading this file.' },
  download: { ask: 'Keeps the part that it has downloaded, and waits for you.' },
};

/** Most codes of watched folders are notices about a folder or a file, not about an upload. */
const WATCH_DOES: Partial<Record<Disposition, string>> = {
  retry: 'Tries again with the next sweep.',
  'wait-disk': 'Waits for the drive, share or folder, then resumes.',
  ask: 'Waits for you. Other files continue.',
  permanent: 'Keeps watching.',
};
const WATCH_REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  ...([
    'watch.root-not-folder',
    'watch.nested',
    'watch.move-folder',
    'watch.unknown-file',
    'watch.unknown-folder',
  ] as const),
]);

/** An edit that needs the user stays in the list of edits; a refused undo or review leaves nothing there. */
const EDIT_DOES: Partial<Record<Disposition, string>> = {
  ask: 'Keeps the edit and waits for you. Other items continue.',
  permanent: 'Changes nothing.',
};

/** The upload itself is complete when its local file or its tags have a problem. */
const AFTERWARDS_DOES: Partial<Record<Disposition, string>> = {
  retry: 'Tries again several times. The upload is complete.',
  ask: 'Waits for you. The upload is complete.',
  permanent: 'Leaves it as it is. The upload is complete.',
};

function mediadeskDoes(code: ErrorCode): string {
  const { disposition } = ERROR_CATALOG[code];
  const isAfterwards = /^(source|trash)\./.test(code) || code === 'upload.tags-missing';
  const isWatch = code.startsWith('watch.') && !WATCH_REFUSALS.has(code);
  if (isWatch) return WATCH_DOES[disposition] ?? MEDIADESK_DOES[disposition];
  if (/^(table|manifest|preset|recipe)\./.test(code)) return 'Changes nothing.';
  if (code.startsWith('edit.')) return EDIT_DOES[disposition] ?? MEDIADESK_DOES[disposition];
  const ofArea = isAfterwards ? AFTERWARDS_DOES : AREA_DOES[code.split('.')[0] ?? ''];
  return MEDIADESK_DOES_FOR[code] ?? ofArea?.[disposition] ?? MEDIADESK_DOES[disposition];
}

const INTRODUCTION = `# Errors

<!-- Made from shared/contract/errors/error-catalog.ts by test/helpers/docs/error-page.ts. Don't edit by hand. -->

When something goes wrong, Mediadesk shows a message and what you can do. This page lists all messages with more background.
Search it for the text that you see, or for the code: the window shows it under **Details**, the command line
with \`--json\` as \`{"error": {"code", "message", "nextStep", "details"}}\`. Codes stay the same between versions.

- **Your uploads are safe.** An error never removes an upload from the queue, and one failed file doesn’t stop the others.
- **Most errors resolve themselves.** While Mediadesk waits for a connection, a drive, a keychain or the library, it uses up no
  retries. Other errors are retried automatically up to 14 times, over almost two days.
- **“Mediadesk sends the file again”** means the whole file: libraries of this kind receive a file in one piece.
- The steps assume that Mediadesk keeps running. When a command has ended, it tells you which command continues.
`;

/** Cells of the table: what you see and what it means, what you can do, what Mediadesk does. */
function rowOf(code: ErrorCode): string {
  const { message, nextStep } = ERROR_CATALOG[code];
  const meaning = MEANINGS[code];
  const seen = meaning === undefined ? `**${message}**` : `**${message}**<br>${meaning}`;
  return `| ${seen}<br>\`${code}\` | ${nextStep ?? 'Nothing to do.'} | ${mediadeskDoes(code)} |`;
}

/** Returns the complete page. */
export function errorPage(): string {
  const codes = Object.keys(ERROR_CATALOG) as ErrorCode[];
  const sections = ERROR_GROUPS.map(({ title, about, prefixes }) => {
    const rows = codes.filter((code) => prefixes.includes(code.split('.')[0] ?? '')).map(rowOf);
    return `\n## ${title}\n\n${about}\n\n| Message | What you can do | What Mediadesk does |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return INTRODUCTION + sections.join('');
}

if (import.meta.main) writeFileSync(ERROR_PAGE, errorPage());
