import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { DuplicateDetails, FollowUpRow, UploadRow } from '../../../../shared/contract/uploads.ts';
import { offeredItems } from '../../../../shared/model/offered-items.ts';
import { hasReplacedFile } from '../../../../shared/model/uploads/replaced-file.ts';
import { asksAboutDuplicate, asksAboutItem } from '../../../../shared/model/uploads/upload-machine.ts';
import { classes } from '../../../kit/components/button.tsx';
import { Glyph } from '../../../kit/components/glyph.tsx';
import { RowTextButton } from '../../../kit/components/list/cell.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { StateChip } from '../../../kit/components/status/state-chip.tsx';
import { useNow } from '../../../kit/components/time-hooks.ts';
import { errorText } from '../../../kit/text/errors.ts';
import { formatDateTime } from '../../../kit/text/format.ts';
import { uploadLook } from '../../../kit/text/states.ts';
import { openItem } from '../../common/commands/commands.ts';
import { acceptReplaced, chooseItem, resolveDuplicates } from '../state/upload-commands.ts';
import { useUploads } from '../state/uploads-store.ts';
import { texts } from '../texts.ts';
import {
  duplicateFacts,
  duplicateOf,
  followUpLook,
  followUpSentence,
  isSentOut,
  rowNote,
  rowPercent,
  showsBar,
} from './row-text.ts';
import styles from './upload-row.module.css';

/** The state of an upload: its progress, its follow-ups, and the reason why it waits or failed. */
export function StateCell({ row }: { row: UploadRow }) {
  const now = useNow(row.state === 'waiting' && row.nextAttemptAt !== null);
  const note = rowNote(row, now);
  const isPlain = row.error === null && row.notice === null;
  const isNamedBelow = useIsNamedBelow(row);
  const hasBar = showsBar(row) && (row.error === null || row.state === 'sending');
  // The reason of a failed follow-up uses the second line, so its mark moves to the first.
  const failed = isPlain ? row.followUps.find(({ state }) => state === 'failed') : undefined;
  return (
    <>
      <span className={styles.stateLine} title={isNamedBelow ? reasonOf(row.error) : undefined}>
        <StateChip look={uploadLook(row)} state={row.state} />
        {note === null ? null : <span className={styles.note}>{note}</span>}
        {failed === undefined ? null : <FollowUps followUps={row.followUps} />}
        {asksAboutDuplicate(row) ? <DuplicateButtons row={row} /> : null}
        {asksAboutItem(row) ? <ItemButtons row={row} /> : null}
        {hasReplacedFile(row) ? <ReplacedButton row={row} /> : null}
        {row.state === 'sending' && !isSentOut(row) ? (
          <span className={styles.percent}>{texts.row.percent(rowPercent(row))}</span>
        ) : null}
      </span>
      {hasBar ? <Progress row={row} /> : null}
      {isPlain ? <FollowUpLine followUps={row.followUps} failed={failed} /> : null}
      {isPlain || isNamedBelow ? null : <Reason row={row} isShort={hasBar} />}
    </>
  );
}

/** Returns whether the strip below all views already says, with a button, that the account of this upload has to sign in. */
function useIsNamedBelow({ error, siteId }: UploadRow): boolean {
  const isNamed = useUploads(
    ({ totals }) => totals?.blockedBy?.code === 'sign-in.required' && totals.blockedSiteId === siteId,
  );
  return isNamed && error?.code === 'sign-in.required';
}

function reasonOf(words: AppErrorData | null): string | undefined {
  return words === null ? undefined : errorText(words);
}

function Progress({ row }: { row: UploadRow }) {
  const value = row.state === 'processing' || row.state === 'publishing' ? null : rowPercent(row);
  const tone = row.state === 'paused' ? 'neutral' : 'active';
  // The key gives each upload its own bar, so that its fill begins at its own value, without a transition.
  return <ProgressBar key={row.id} label={texts.row.progress(row.fileName)} value={value} tone={tone} />;
}

interface FollowUpLineProps {
  followUps: readonly FollowUpRow[];
  failed: FollowUpRow | undefined;
}

/** The follow-ups, or the reason why one of them failed. */
function FollowUpLine({ followUps, failed }: FollowUpLineProps) {
  if (failed === undefined) return followUps.length > 0 ? <FollowUps followUps={followUps} /> : null;
  if (failed.error === null) return null;
  return (
    <span className={styles.reason} title={followUps.map(followUpSentence).join('\n')}>
      {errorText(failed.error)}
    </span>
  );
}

/** The reason why an upload waits, failed or was skipped; or a notice about an upload without a problem. */
function Reason({ row, isShort }: { row: UploadRow; isShort: boolean }) {
  const duplicate = duplicateOf(row);
  if (duplicate !== null) return <Duplicate row={row} duplicate={duplicate} />;
  if (asksAboutItem(row)) return <OfferedItems row={row} />;
  const words = row.error ?? row.notice;
  if (words === null) return null;
  const reason = reasonOf(words);
  // A notice needs no action, so its next step is only in the tooltip.
  const isNotice = row.error === null;
  return (
    <span className={classes(styles.reason, isNotice && styles.notice, isShort && styles.short)} title={reason}>
      {isNotice ? words.message : reason}
    </span>
  );
}

/** The item that the library already contains: its title and collection, the kind of match, and its date. */
function Duplicate({ row, duplicate }: { row: UploadRow; duplicate: DuplicateDetails }) {
  const { mediaId, title, where } = duplicate;
  const { existsIn, fromHere, fromElsewhere } = texts.duplicate;
  const facts = duplicateFacts(duplicate);
  return (
    <span className={styles.duplicate}>
      <span className={styles.existing} title={`${title} (${facts})`}>
        {existsIn(row.collectionName)}
        <button
          type="button"
          tabIndex={-1}
          className={styles.link}
          onClick={() => openItem({ siteId: row.siteId, collectionId: row.collectionId, mediaId })}
        >
          {title}
        </button>
      </span>
      <span className={styles.facts}>
        {facts}
        {' · '}
        {where === 'history' ? fromHere : fromElsewhere}
      </span>
    </span>
  );
}

function DuplicateButtons({ row }: { row: UploadRow }) {
  const choose = (choice: 'skip' | 'upload') => void resolveDuplicates({ kind: 'ids', ids: [row.id] }, choice);
  return (
    <span className={styles.choices}>
      <RowTextButton label={texts.row.skip} of={row.fileName} onClick={() => choose('skip')} />
      <RowTextButton label={texts.row.uploadAnyway} of={row.fileName} onClick={() => choose('upload')} />
    </span>
  );
}

/** Offers to continue in a single item. Several items are in the menu of the row. */
function ItemButtons({ row }: { row: UploadRow }) {
  const [only, ...others] = offeredItems(row);
  return (
    <span className={styles.choices}>
      {only !== undefined && others.length === 0 ? (
        <RowTextButton label={texts.row.useIt} of={row.fileName} onClick={() => void chooseItem(row.id, only.id)} />
      ) : null}
      <RowTextButton label={texts.row.createItem} of={row.fileName} onClick={() => void chooseItem(row.id, null)} />
    </span>
  );
}

/** Offers to send the file that replaced the one that was added. */
function ReplacedButton({ row }: { row: UploadRow }) {
  const accept = () => void acceptReplaced({ kind: 'ids', ids: [row.id] });
  return (
    <span className={styles.choices}>
      <RowTextButton label={texts.row.sendReplaced} of={row.fileName} onClick={accept} />
    </span>
  );
}

/** Links to the items that may belong to the upload. */
function OfferedItems({ row }: { row: UploadRow }) {
  const items = offeredItems(row);
  const reason = reasonOf(row.error);
  return (
    <span className={styles.reason} title={reason}>
      {items.length === 0 ? reason : `${texts.row.itemQuestion(items.length)} `}
      {items.map(({ id, title, createdOn }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <button
            type="button"
            tabIndex={-1}
            className={styles.link}
            onClick={() => openItem({ siteId: row.siteId, collectionId: row.collectionId, mediaId: id })}
          >
            {title === '' ? texts.row.untitled : title}
          </button>
          {createdOn === null ? '' : texts.row.createdOn(formatDateTime(Date.parse(createdOn)))}
        </span>
      ))}
    </span>
  );
}

/** The state of each follow-up: captions, thumbnail, tags, the file on this computer. */
function FollowUps({ followUps }: { followUps: readonly FollowUpRow[] }) {
  return (
    <span className={styles.followUps} title={followUps.map(followUpSentence).join('\n')}>
      {followUps.map((followUp) => {
        const look = followUpLook(followUp);
        return (
          <span
            key={`${followUp.kind}/${followUp.fileName}`}
            className={styles.followUp}
            data-follow-up={followUp.kind}
            data-state={followUp.state}
            data-tone={look.tone}
          >
            <Glyph name={look.icon} size={11} />
            {look.word}
          </span>
        );
      })}
    </span>
  );
}
