import { useEffect, useState } from 'react';
import type { FollowUpRow, UploadRow } from '../../../../shared/contract/uploads.ts';
import { offeredItems } from '../../../../shared/model/offered-items.ts';
import { asksAboutDuplicate, asksAboutItem } from '../../../../shared/model/upload-machine.ts';
import { openItem } from '../../../commands/open-item.ts';
import { classes } from '../../../components/button.tsx';
import { Glyph } from '../../../components/glyph.tsx';
import { ProgressBar } from '../../../components/status/progress-bar.tsx';
import { StateChip } from '../../../components/status/state-chip.tsx';
import { chooseItem, resolveDuplicates } from '../../../stores/uploads/upload-commands.ts';
import { formatDateTime } from '../../../text/format.ts';
import { uploadLook } from '../../../text/states.ts';
import { isSentOut, rowNote, rowPercent, showsBar } from '../../../text/upload-text.ts';
import { duplicateFacts, duplicateOf } from './duplicate-text.ts';
import { followUpLook, followUpSentence } from './follow-up-text.ts';
import styles from './upload-row.module.css';

/** How an upload stands: its state, how far it is, and why it is where it is. */
export function StateCell({ row }: { row: UploadRow }) {
  const now = useNow(row.state === 'waiting' && row.nextAttemptAt !== null);
  const note = rowNote(row, now);
  const isPlain = row.error === null && row.notice === null;
  const hasBar = showsBar(row) && (row.error === null || row.state === 'sending');
  // One that failed takes the second line for its reason, so all of them stand in the first.
  const failed = row.followUps.find(({ state }) => state === 'failed');
  const value = row.state === 'processing' || row.state === 'publishing' ? null : rowPercent(row);
  return (
    <>
      <span className={styles.stateLine}>
        <StateChip look={uploadLook(row)} state={row.state} />
        {note === null ? null : <span className={styles.note}>{note}</span>}
        {isPlain && failed !== undefined ? <FollowUps followUps={row.followUps} /> : null}
        {asksAboutDuplicate(row) ? <DuplicateButtons row={row} /> : null}
        {asksAboutItem(row) ? <ItemButtons row={row} /> : null}
        {row.state === 'sending' && !isSentOut(row) ? (
          <span className={styles.percent}>{rowPercent(row)} %</span>
        ) : null}
      </span>
      {hasBar ? (
        <ProgressBar
          label={`Progress of ${row.fileName}`}
          value={value}
          tone={row.state === 'paused' ? 'neutral' : 'active'}
        />
      ) : null}
      {isPlain ? null : <Words row={row} isShort={hasBar} />}
      {isPlain && failed === undefined && row.followUps.length > 0 ? <FollowUps followUps={row.followUps} /> : null}
      {isPlain && failed?.error != null ? (
        <span className={styles.reason} title={row.followUps.map(followUpSentence).join('\n')}>
          {failed.error.message} {failed.error.nextStep}
        </span>
      ) : null}
    </>
  );
}

/** Why it waits, failed or was left out; or what is worth knowing although nothing is wrong. */
function Words({ row, isShort }: { row: UploadRow; isShort: boolean }) {
  const duplicate = duplicateOf(row);
  if (duplicate !== null) {
    const { mediaId, title } = duplicate;
    const facts = duplicateFacts(duplicate);
    return (
      <span className={styles.reason} title={`${title} (${duplicateFacts(duplicate, true)})`}>
        Already in this collection:{' '}
        <button
          type="button"
          className={styles.link}
          onClick={() => openItem({ siteId: row.siteId, collectionId: row.collectionId, mediaId })}
        >
          {title}
        </button>{' '}
        ({facts})
      </span>
    );
  }
  if (asksAboutItem(row)) return <OfferedItems row={row} />;
  const words = row.error ?? row.notice;
  if (words === null) return null;
  const reason = `${words.message} ${words.nextStep ?? ''}`.trim();
  // A notice is for people who wonder; what to do about it is nothing, or stands in the tooltip.
  const isNotice = row.error === null;
  return (
    <span className={classes(styles.reason, isNotice && styles.notice, isShort && styles.short)} title={reason}>
      {isNotice ? words.message : reason}
    </span>
  );
}

function DuplicateButtons({ row }: { row: UploadRow }) {
  const choose = (choice: 'skip' | 'upload') => void resolveDuplicates({ kind: 'ids', ids: [row.id] }, choice);
  return (
    <span className={styles.choices}>
      <button type="button" className={styles.choice} onClick={() => choose('skip')}>
        Skip<span className="visually-hidden"> {row.fileName}</span>
      </button>
      <button type="button" className={styles.choice} onClick={() => choose('upload')}>
        Upload anyway<span className="visually-hidden"> {row.fileName}</span>
      </button>
    </span>
  );
}

/** One item is offered here; several are in the menu of the row. */
function ItemButtons({ row }: { row: UploadRow }) {
  const [only, ...others] = offeredItems(row);
  return (
    <span className={styles.choices}>
      {only !== undefined && others.length === 0 ? (
        <button type="button" className={styles.choice} onClick={() => void chooseItem(row.id, only.id)}>
          Use this item<span className="visually-hidden"> for {row.fileName}</span>
        </button>
      ) : null}
      <button type="button" className={styles.choice} onClick={() => void chooseItem(row.id, null)}>
        Create a new item<span className="visually-hidden"> for {row.fileName}</span>
      </button>
    </span>
  );
}

/** The items that may be the upload's, each with a link to it. */
function OfferedItems({ row }: { row: UploadRow }) {
  const items = offeredItems(row);
  const reason = `${row.error?.message ?? ''} ${row.error?.nextStep ?? ''}`.trim();
  return (
    <span className={styles.reason} title={reason}>
      {items.length === 0 ? reason : 'May be in the library already: '}
      {items.map(({ id, title, createdOn }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <button
            type="button"
            className={styles.link}
            onClick={() => openItem({ siteId: row.siteId, collectionId: row.collectionId, mediaId: id })}
          >
            {title === '' ? 'Untitled' : title}
          </button>
          {createdOn === null ? '' : ` (created ${formatDateTime(Date.parse(createdOn))})`}
        </span>
      ))}
    </span>
  );
}

/** Captions, thumbnail and the file on this computer, each with how it stands. */
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

/** The time, by the second while `isTicking`. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setNow(Date.now());
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, [isTicking]);
  return now;
}
