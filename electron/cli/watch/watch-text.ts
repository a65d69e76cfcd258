import type { WatchedFileRow, WatchedFolder, WatchPreview, WatchVerdict } from '../../../shared/contract/watch.ts';
import { shownCounts } from '../../../shared/model/watch/shown-counts.ts';
import { formatBytes, formatDuration, printable } from '../output/text-format.ts';

const STATE_WORDS: Record<WatchedFolder['state'], string> = {
  off: 'not running',
  paused: 'paused',
  watching: 'watching',
  'sweep-only': 'sweeps only',
  'waiting-for-drive': 'waiting for its drive',
  moved: 'moved',
  unusable: 'can’t be read',
};

/** The names of the columns of `folderCells`. */
export const FOLDER_HEADER = ['ID', 'STATE', 'FILES', 'COLLECTION', 'FOLDER'] as const;

/** Returns the cells of a folder in the table of folders. */
export function folderCells(folder: WatchedFolder): string[] {
  const { id, state, root, rules } = folder;
  const { queued, incomplete } = folder.counts;
  const { settling, uploaded, skipped } = shownCounts(folder);
  const counted = `${settling} settling, ${queued} queued, ${uploaded} uploaded, ${incomplete} incomplete, ${skipped} skipped`;
  return [id, STATE_WORDS[state], counted, collectionText(rules), root];
}

function collectionText({ defaults }: WatchedFolder['rules']): string {
  const { collection } = defaults.settings;
  const target = collection.kind === 'fixed' ? collection.collection : collection.parent;
  const name = target.kind === 'id' ? target.name : target.ref;
  return collection.kind === 'fixed' ? name : `${name} / …`;
}

/** Returns the step that confirms where a folder is now. The command needs the profile, so the station is stopped for it. */
export function movedCommand(root: string, movedTo: string): string {
  return `If it’s the same folder, stop the station, run: mediadesk watch edit ${quoted(root)} --moved-to ${quoted(movedTo)} and start it again.`;
}

/** Returns a path as one argument of a shell. */
function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Returns a line about the state of a folder, with the reason for it. */
export function folderLine({ root, state, notice, movedTo }: WatchedFolder): string {
  const reason = notice === null ? '' : `: ${[notice.message, notice.nextStep].filter(Boolean).join(' ')}`;
  const to = movedTo === null ? '' : ` (${movedTo})`;
  return printable(`${root}: ${STATE_WORDS[state]}${to}${reason}`);
}

/** Returns a line about a file that is incomplete, with the reason. */
export function incompleteLine({ path, sizeBytes, reason }: WatchedFileRow): string {
  return printable(`${path} (${formatBytes(sizeBytes)})${reason === null ? '' : `: ${reason.message}`}`);
}

/** Returns a line about the decision on a file, with the rule and the condition that decided. */
export function previewLine({ path, sizeBytes, verdict, plan }: WatchPreview['files'][number]): string {
  const what = plan === null ? WORDS[verdict.kind] : `upload ${titleText(plan)} to ${targetText(plan)}`;
  return printable(`${path} (${formatBytes(sizeBytes)}): ${what}: ${verdictText(verdict)}`);
}

const WORDS: Record<WatchVerdict['kind'], string> = { upload: 'upload', wait: 'wait', skip: 'skip' };

function titleText({ title, titleNotice }: NonNullable<WatchPreview['files'][number]['plan']>): string {
  if (title === null) return 'with a title from inside the file';
  return titleNotice === null ? `as “${title}”` : `as “${title}” (${titleNotice.message})`;
}

function targetText({ collection }: NonNullable<WatchPreview['files'][number]['plan']>): string {
  return [collection.name, ...collection.below].join(' / ');
}

/** Returns the rule and the condition that decided. */
function verdictText({ ruleName, ruleId, clause }: WatchVerdict): string {
  const rule = ruleName === null ? (ruleId === null ? '' : 'defaults, ') : `rule “${ruleName}”, `;
  return `${rule}${clauseText(clause)}`;
}

function clauseText(clause: WatchVerdict['clause']): string {
  switch (clause.kind) {
    case 'include':
      return clause.glob === null ? 'all files' : `matches ${clause.glob}`;
    case 'not-included':
      return 'matches none of the included names';
    case 'exclude':
      return `matches ${clause.glob}, which is excluded`;
    case 'min-size':
      return `smaller than ${formatBytes(clause.minSizeBytes)}`;
    case 'min-age':
      return `changed less than ${formatDuration(clause.minAgeMs / 1000)} ago`;
    case 'empty':
      return 'empty';
    case 'ignored':
      return `${clause.name} is a hidden, temporary or partial file`;
    case 'not-a-file':
      return 'not a file';
    case 'existing':
      return 'was there before the folder was watched';
    case 'handled':
      return 'uploaded before';
    case 'attached':
      return `belongs to ${clause.recording}`;
    case 'unclear':
      return `may belong to ${clause.recordings.join(' or ')}`;
    case 'manifest':
      return 'describes the files of its folder';
  }
}
