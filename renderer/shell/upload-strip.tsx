import {
  ArrowUpFromLine,
  ChevronUp,
  CircleAlert,
  CircleCheck,
  CircleHelp,
  Clock,
  Gauge,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Play,
} from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Site } from '../../shared/contract/sites.ts';
import type { UploadTotals } from '../../shared/contract/uploads.ts';
import { pendingOf } from '../../shared/model/uploads/upload-counts.ts';
import { currentSite, offerSignIn, showView, siteOf, useApp } from '../features/common/state/app-store.ts';
import { attentionTotal, showEdits, useEdits } from '../features/edits/state/edits-store.ts';
import { PauseMenu } from '../features/uploads/pause-menu.tsx';
import { command, pauseUntil } from '../features/uploads/state/upload-commands.ts';
import { useUploads } from '../features/uploads/state/uploads-store.ts';
import { Button, classes, IconButton } from '../kit/components/button.tsx';
import { ProgressBar } from '../kit/components/status/progress-bar.tsx';
import { failuresOf, limitNowWords } from '../kit/text/upload-text.ts';
import { texts } from './texts.ts';
import styles from './upload-strip.module.css';
import { busyEditsSentence, stripSentence, totalPercent, workOf } from './upload-strip-text.ts';

/** The state of the whole queue in one line, at the bottom of every view. */
export function UploadStrip() {
  const totals = useUploads((state) => state.totals);
  const batches = useUploads((state) => state.batches);
  const work = useMemo(() => (totals === null ? null : workOf(batches, totals)), [batches, totals]);
  if (totals === null || work === null) return <section className={styles.strip} aria-label={texts.strip.label} />;

  const isPending = pendingOf(totals.counts) > 0;
  const blocked = isPending ? totals.blockedBy : null;
  return (
    <section className={styles.strip} aria-label={texts.strip.label} data-blocked-by={blocked?.code}>
      <div className={styles.parts}>
        <OpenButton
          Icon={isPending ? ArrowUpFromLine : restIcon(totals)}
          isBusy={isPending && blocked === null}
          sentence={stripSentence(totals, work, Date.now())}
        />
        <Reason totals={totals} blocked={blocked} />
        {isPending ? <Limit totals={totals} /> : null}
        <EditsStatus />
        <div className={styles.commands}>
          <SignInAgain totals={totals} blocked={blocked} />
          {isPending ? <Controls totals={totals} isBlocked={blocked !== null} /> : null}
        </div>
      </div>
    </section>
  );
}

interface OpenButtonProps {
  Icon: LucideIcon;
  isBusy: boolean;
  sentence: string;
}

// Some parts are memoized: the totals change several times a second, but the sentence and the buttons change seldom.

/** Opens the uploads view. */
const OpenButton = memo(function OpenButton({ Icon, isBusy, sentence }: OpenButtonProps) {
  return (
    <AriaButton className={classes(styles.open, isBusy && styles.busy)} onPress={() => showView('uploads')}>
      <Icon size={15} strokeWidth={1.75} aria-hidden />
      <span data-testid="strip-sentence">{sentence}</span>
    </AriaButton>
  );
});

/** The icon while no upload is pending. */
function restIcon(totals: UploadTotals): LucideIcon {
  if (failuresOf(totals) > 0) return CircleAlert;
  return totals.duplicates > 0 ? CircleHelp : CircleCheck;
}

interface BlockedProps {
  totals: UploadTotals;
  /** The reason why pending uploads are not sent; null while they are sent. */
  blocked: UploadTotals['blockedBy'];
}

function useNeedsSignIn(): boolean {
  return useApp((state) => currentSite(state)?.state === 'needs-sign-in');
}

function Reason({ totals, blocked }: BlockedProps) {
  const siteId = useApp((state) => state.siteId);
  const blockedSite = useApp((state) => siteOf(state, totals.blockedSiteId));
  const needsSignIn = useNeedsSignIn();
  if (blocked === null) {
    return needsSignIn ? <span className={styles.reason}>{texts.strip.signInEnded}</span> : null;
  }
  const account = otherAccountWords(blockedSite, siteId);
  return (
    <span className={styles.reason} role="status" title={`${account}${blocked.message} ${blocked.nextStep ?? ''}`}>
      {account}
      {blocked.message} {blocked.nextStep}
    </span>
  );
}

/** Returns `Bert Moll, media.example.org: ` when the reason concerns an account that is not the shown one. */
function otherAccountWords(site: Site | null, shownId: string | null): string {
  if (site === null || site.id === shownId) return '';
  return texts.strip.otherAccount(site.accountName, site.displayName);
}

/** The currently active speed limit. */
function Limit({ totals }: { totals: UploadTotals }) {
  if (totals.limitBytesPerSecond === null || totals.paused) return null;
  const words = limitNowWords(totals, Date.now());
  return (
    <span className={styles.limit} title={texts.strip.limitNow(words)} data-testid="strip-limit">
      <Gauge size={14} aria-hidden />
      <span>{words}</span>
    </span>
  );
}

function SignInAgain({ totals, blocked }: BlockedProps) {
  const siteId = useApp((state) => state.siteId);
  const needsSignIn = useNeedsSignIn();
  const isBlocked = blocked?.code === 'sign-in.required';
  if (!isBlocked && !needsSignIn) return null;
  return (
    <Button variant="primary" onPress={() => offerSignIn(isBlocked ? totals.blockedSiteId : siteId)}>
      {texts.strip.signInAgain}
    </Button>
  );
}

/** The progress of pending uploads, and the commands for all of them. */
function Controls({ totals, isBlocked }: { totals: UploadTotals; isBlocked: boolean }) {
  const share = totalPercent(totals);
  const tone = totals.paused ? 'neutral' : isBlocked ? 'waiting' : 'active';
  return (
    <>
      <span className={styles.bar}>
        <ProgressBar label={texts.strip.progress} value={share} tone={tone} />
      </span>
      <span className={styles.percent}>{share === null ? '' : texts.strip.percent(share)}</span>
      <PauseButtons isPaused={totals.paused} isTimed={totals.pausedUntil !== null} />
    </>
  );
}

/** Pauses and resumes all uploads. */
const PauseButtons = memo(function PauseButtons({ isPaused, isTimed }: { isPaused: boolean; isTimed: boolean }) {
  return (
    <>
      {isTimed ? (
        <Button icon={<Play size={14} aria-hidden />} onPress={() => void pauseUntil(null)}>
          {texts.strip.resumeNow}
        </Button>
      ) : (
        <IconButton
          label={isPaused ? texts.strip.resumeAll : texts.strip.pauseAll}
          onPress={() => void command(isPaused ? 'resume' : 'pause', { kind: 'all' })}
        >
          {isPaused ? <Play size={15} /> : <Pause size={15} />}
        </IconButton>
      )}
      {isPaused ? null : (
        <PauseMenu placement="top end">
          <IconButton label={texts.strip.pauseUntil}>
            <ChevronUp size={14} />
          </IconButton>
        </PauseMenu>
      )}
    </>
  );
});

/** Edits that are saved within this time are not shown, so that the line does not flicker. */
const SHOWN_AFTER_MS = 1_000;

/** Shows how many edits are being sent, wait, or need the user, in the line at the bottom of every view. */
function EditsStatus() {
  return (
    <>
      <SendingStatus />
      <AttentionStatus />
    </>
  );
}

function SendingStatus() {
  const pending = useEdits((state) => state.totals.pending);
  const running = useEdits((state) => state.running);
  const isLong = useIsLong(pending > 0);
  if (pending === 0 || !isLong) return null;
  const waits = running.find(({ waitsFor }) => waitsFor !== null)?.waitsFor ?? null;
  const isBusy = waits === null || running.some(({ undoneAt }) => undoneAt !== null);
  const Icon = isBusy ? LoaderCircle : Clock;
  const words = isBusy ? busyEditsSentence(running, pending) : texts.edits.waiting(pending);
  return (
    <AriaButton
      className={classes(styles.open, styles.edits, isBusy && styles.busy)}
      onPress={() => showEdits('pending')}
    >
      <Icon size={15} strokeWidth={1.75} aria-hidden />
      <span data-testid="strip-edits" {...(isBusy ? {} : { title: waits.message })}>
        {words}
      </span>
    </AriaButton>
  );
}

function AttentionStatus() {
  const attention = useEdits((state) => attentionTotal(state.totals));
  if (attention === 0) return null;
  return (
    <AriaButton className={classes(styles.open, styles.edits)} onPress={() => showEdits('attention')}>
      <CircleAlert size={15} strokeWidth={1.75} aria-hidden />
      <span data-testid="strip-edits-attention">{texts.edits.attention(attention)}</span>
    </AriaButton>
  );
}

/** Returns whether a condition has been true for a second. */
function useIsLong(isOn: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isOn) return;
    const timer = window.setTimeout(() => setLong(true), SHOWN_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [isOn]);
  return isLong;
}
