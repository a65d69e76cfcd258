import type { FollowUpRow } from '../../../../shared/contract/uploads.ts';
import type { StateLook } from '../../../text/states.ts';

type Kind = FollowUpRow['kind'];

const NAMES: Readonly<Record<Kind, string>> = {
  captions: 'Captions',
  thumbnail: 'Thumbnail',
  tags: 'Tags',
  publish: 'Publication',
  source: 'File on this computer',
};

const DONE: Readonly<Record<Kind, string>> = {
  captions: 'Captions sent',
  thumbnail: 'Thumbnail sent',
  tags: 'Tags checked',
  publish: 'Published',
  source: 'File moved to the trash',
};

const PENDING: Readonly<Record<Kind, string>> = {
  captions: 'Captions to go',
  thumbnail: 'Thumbnail to go',
  tags: 'Tags to check',
  publish: 'To be published',
  source: 'File to be moved',
};

const FAILED: Readonly<Record<Kind, string>> = {
  captions: 'Captions not sent',
  thumbnail: 'Thumbnail not sent',
  tags: 'Tags missing',
  publish: 'Arrived as a draft',
  source: 'File not moved',
};

/** How a follow-up of an upload is shown. */
export function followUpLook({ kind, state, fileName }: FollowUpRow): StateLook {
  if (state === 'failed') return { word: FAILED[kind], icon: 'failed', tone: 'bad' };
  if (state === 'pending') return { word: PENDING[kind], icon: 'queued', tone: 'neutral' };
  const word = kind === 'source' && fileName !== '' ? `File moved to ${folderOf(fileName)}` : DONE[kind];
  return { word, icon: 'complete', tone: 'good' };
}

/** Returns a follow-up as a sentence, with its error if there is one. */
export function followUpSentence(followUp: FollowUpRow): string {
  const { kind, fileName, error } = followUp;
  const what = fileName === '' ? NAMES[kind] : `${NAMES[kind]} ${fileName}`;
  const reason = error === null ? '' : ` ${error.message} ${error.nextStep ?? ''}`.trimEnd();
  return `${what}: ${followUpLook(followUp).word.toLowerCase()}.${reason}`;
}

/** Returns the folder name of a path with slashes or backslashes. */
function folderOf(path: string): string {
  return path.split(/[\\/]/).at(-2) || path;
}
