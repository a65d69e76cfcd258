import type { FollowUpRow } from '../../../../shared/contract/uploads.ts';
import { errorText } from '../../../kit/text/errors.ts';
import type { StateLook } from '../../../kit/text/states.ts';
import { texts } from '../texts.ts';

/** Returns the appearance of a follow-up of an upload. */
export function followUpLook({ kind, state, fileName, guessed }: FollowUpRow): StateLook {
  if (state === 'failed') return { word: texts.followUps.failed[kind], icon: 'failed', tone: 'bad' };
  if (state === 'pending') return { word: texts.followUps.pending[kind], icon: 'queued', tone: 'neutral' };
  if (guessed !== undefined) return { word: texts.followUps.guessed(guessed), icon: 'complete', tone: 'neutral' };
  const word =
    kind === 'source' && fileName !== '' ? texts.followUps.movedTo(folderOf(fileName)) : texts.followUps.done[kind];
  return { word, icon: 'complete', tone: 'good' };
}

/** Returns a follow-up as a sentence, with its error if there is one. */
export function followUpSentence(followUp: FollowUpRow): string {
  const { kind, fileName, error } = followUp;
  const name = texts.followUps.names[kind];
  const what = fileName === '' ? name : `${name} ${fileName}`;
  const reason = error === null ? '' : ` ${errorText(error)}`;
  return texts.followUps.sentence(what, followUpLook(followUp).word.toLowerCase(), reason);
}

/** Returns the folder name of a path with slashes or backslashes. */
function folderOf(path: string): string {
  return path.split(/[\\/]/).at(-2) || path;
}
