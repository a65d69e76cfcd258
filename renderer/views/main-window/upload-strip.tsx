import { ArrowUpFromLine, ChevronUp, CircleAlert, CircleCheck, CircleHelp, Gauge, Pause, Play } from 'lucide-react';
import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Site } from '../../../shared/contract/sites.ts';
import { pendingOf } from '../../../shared/model/upload-counts.ts';
import { Button, classes, IconButton } from '../../components/button.tsx';
import { ProgressBar } from '../../components/status/progress-bar.tsx';
import { currentSite, offerSignIn, showView, siteOf, useApp } from '../../stores/app/app-store.ts';
import { command, pauseUntil } from '../../stores/uploads/upload-commands.ts';
import { workOf } from '../../stores/uploads/uploads-merge.ts';
import { useUploads } from '../../stores/uploads/uploads-store.ts';
import { failuresOf, limitNowWords, stripSentence, totalPercent } from '../../text/upload-text.ts';
import { PauseMenu } from '../uploads/pause-menu.tsx';
import styles from './upload-strip.module.css';

/** The state of the whole queue in one line, at the bottom of every view. */
export function UploadStrip() {
  const totals = useUploads((state) => state.totals);
  const batches = useUploads((state) => state.batches);
  const needsSignIn = useApp((state) => currentSite(state)?.state === 'needs-sign-in');
  const siteId = useApp((state) => state.siteId);
  const blockedSite = useApp((state) => siteOf(state, totals?.blockedSiteId ?? null));
  const work = useMemo(() => (totals === null ? null : workOf(batches, totals)), [batches, totals]);
  if (totals === null || work === null) return <section className={styles.strip} aria-label="Upload status" />;

  const now = Date.now();
  const pending = pendingOf(totals.counts);
  const failed = failuresOf(totals);
  const blocked = pending > 0 ? totals.blockedBy : null;
  const rest = failed > 0 ? CircleAlert : totals.duplicates > 0 ? CircleHelp : CircleCheck;
  const Icon = pending > 0 ? ArrowUpFromLine : rest;
  const whose = blocked === null ? '' : ofAnother(blockedSite, siteId);
  const wantsSignIn = blocked?.code === 'sign-in.required';
  const share = totalPercent(totals);
  const tone = totals.paused ? 'neutral' : blocked !== null ? 'waiting' : 'active';
  return (
    <section className={styles.strip} aria-label="Upload status" data-blocked-by={blocked?.code}>
      <AriaButton
        className={classes(styles.open, pending > 0 && blocked === null && styles.busy)}
        onPress={() => showView('uploads')}
      >
        <Icon size={15} strokeWidth={1.75} aria-hidden />
        <span data-testid="strip-sentence">{stripSentence(totals, work, now)}</span>
      </AriaButton>
      {blocked === null ? null : (
        <span className={styles.reason} role="status" title={`${whose}${blocked.message} ${blocked.nextStep ?? ''}`}>
          {whose}
          {blocked.message} {blocked.nextStep}
        </span>
      )}
      {blocked === null && needsSignIn ? (
        <span className={styles.reason}>The library no longer accepts this sign-in.</span>
      ) : null}
      {pending > 0 && totals.limitBytesPerSecond !== null && !totals.paused ? (
        <span className={styles.limit} title={`In force now: ${limitNowWords(totals, now)}`} data-testid="strip-limit">
          <Gauge size={14} aria-hidden />
          <span>{limitNowWords(totals, now)}</span>
        </span>
      ) : null}
      <span className={styles.grow} />
      {wantsSignIn || needsSignIn ? (
        <Button variant="primary" onPress={() => offerSignIn(wantsSignIn ? totals.blockedSiteId : siteId)}>
          Sign in again
        </Button>
      ) : null}
      {pending === 0 ? null : (
        <>
          <span className={styles.bar}>
            <ProgressBar label="All uploads" value={share} tone={tone} />
          </span>
          <span className={styles.percent}>{share === null ? '' : `${share} %`}</span>
          {totals.pausedUntil === null ? (
            <IconButton
              label={totals.paused ? 'Resume all uploads' : 'Pause all uploads'}
              onPress={() => void command(totals.paused ? 'resume' : 'pause', { kind: 'all' })}
            >
              {totals.paused ? <Play size={15} /> : <Pause size={15} />}
            </IconButton>
          ) : (
            <Button icon={<Play size={14} aria-hidden />} onPress={() => void pauseUntil(null)}>
              Resume now
            </Button>
          )}
          {totals.paused ? null : (
            <PauseMenu placement="top end">
              <IconButton label="Pause until…">
                <ChevronUp size={14} />
              </IconButton>
            </PauseMenu>
          )}
        </>
      )}
    </section>
  );
}

/** `Bert Moll, media.example.org: ` where a reason is of an account that is not the one shown. */
function ofAnother(site: Site | null, shownId: string | null): string {
  if (site === null || site.id === shownId) return '';
  return `${site.accountName === null ? '' : `${site.accountName}, `}${site.displayName}: `;
}
