import { CheckCheck, ChevronDown, Pause, Play, RotateCw } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import type { UploadTotals } from '../../../shared/contract/uploads.ts';
import { countFor, pendingOf, sumOf } from '../../../shared/model/uploads/upload-counts.ts';
import { Button } from '../../kit/components/button.tsx';
import { Select } from '../../kit/components/forms/select.tsx';
import { commandItem, OverflowToolbar, type ToolbarItem } from '../../kit/components/toolbar/overflow-toolbar.tsx';
import { formatBytes, formatSpeed, formatWait } from '../../kit/text/format.ts';
import { failuresOf, pausedWords } from '../../kit/text/upload-text.ts';
import { AddButton } from '../common/menus.tsx';
import { ViewTabs } from '../common/view-tabs.tsx';
import { PauseMenu, pauseEntries } from './pause-menu.tsx';
import { clearUploads } from './state/cancel-uploads.ts';
import { openTab, TABS, type UploadTab, useOutline } from './state/outline/outline-store.ts';
import { command, pauseUntil } from './state/upload-commands.ts';
import { useUploads } from './state/uploads-store.ts';
import { texts } from './texts.ts';
import styles from './uploads-view.module.css';

/** The head of the uploads view: the progress of all uploads, their commands, and the tabs. */
export function UploadsToolbar() {
  const isLoaded = useUploads((state) => state.totals !== null);
  return (
    <div className={styles.toolbar}>
      <div className={styles.line}>
        <h1 className={styles.title}>{texts.title}</h1>
        <Summary />
        {isLoaded ? <Commands /> : <span className={styles.grow} />}
        <AddButton label={texts.add} />
      </div>
      <Tabs />
    </div>
  );
}

// The totals change several times a second while uploads run. Each part therefore subscribes only to the values that it shows.

/** Shows `12.4 GB to send · 38 MB/s · 4 min left`, or that the queue is paused. */
function Summary() {
  const totals = useUploads((state) => state.totals);
  if (totals === null || pendingOf(totals.counts) === 0) return null;
  const bytesLeft = totals.totalBytes - totals.sentBytes;
  const parts = bytesLeft > 0 ? [texts.toSend(formatBytes(bytesLeft))] : [];
  if (totals.paused) parts.push(pausedWords(totals, Date.now()));
  else if (totals.bytesPerSecond > 0) {
    parts.push(formatSpeed(totals.bytesPerSecond));
    if (totals.secondsLeft !== null) parts.push(texts.left(formatWait(totals.secondsLeft)));
  }
  return (
    <span className={styles.summary} data-testid="uploads-summary">
      {parts.join(' · ')}
    </span>
  );
}

/** Which commands of the whole queue apply. */
function applicable({ totals }: { totals: UploadTotals | null }) {
  const counts: Partial<UploadTotals['counts']> = totals?.counts ?? {};
  const isPaused = totals?.paused === true;
  return {
    canPause: pendingOf(counts) > 0 && !isPaused,
    canResume: isPaused || (counts.paused ?? 0) > 0,
    isTimed: totals !== null && totals.pausedUntil !== null,
    canRetry: totals !== null && failuresOf(totals) > 0,
    canClear: sumOf(counts, ['complete', 'cancelled', 'skipped']) > 0,
  };
}

function Commands() {
  const { canPause, canResume, isTimed, canRetry, canClear } = useUploads(useShallow(applicable));
  const { commands } = texts;
  const items: ToolbarItem[] = [];
  if (canResume) {
    items.push(
      commandItem({
        id: 'resume',
        label: isTimed ? commands.resumeNow : commands.resumeAll,
        icon: <Play size={14} aria-hidden />,
        onAction: () => void (isTimed ? pauseUntil(null) : command('resume', { kind: 'all' })),
      }),
    );
  }
  if (canPause) {
    items.push({
      id: 'pause',
      element: (
        <PauseMenu withPlain>
          <Button variant="quiet" icon={<Pause size={14} aria-hidden />}>
            {commands.pauseAll} <ChevronDown size={12} aria-hidden />
          </Button>
        </PauseMenu>
      ),
      menu: [{ title: texts.pause.title, entries: pauseEntries(true) }],
    });
  }
  if (canRetry) {
    items.push(
      commandItem({
        id: 'retry',
        label: commands.retryFailed,
        icon: <RotateCw size={14} aria-hidden />,
        onAction: () => void command('retry', { kind: 'failed' }),
      }),
    );
  }
  if (canClear) {
    items.push(
      commandItem({
        id: 'clear',
        label: commands.clearCompleted,
        icon: <CheckCheck size={14} aria-hidden />,
        onAction: () => void clearUploads({ kind: 'all' }, 'completed'),
      }),
    );
  }
  return <OverflowToolbar label={commands.label} align="end" items={items} />;
}

const NOTHING = { counts: {}, duplicates: 0 };
/** The tone of a tab's count of uploads that need the user. */
const TONES: Partial<Record<UploadTab, 'bad' | 'wait'>> = { failed: 'bad', 'needs-decision': 'wait' };

/** The tabs that choose which uploads are listed. A narrow window shows them as one choice. */
function Tabs() {
  const tab = useOutline((state) => state.tab);
  const counts = useUploads(useShallow(({ totals }) => TABS.map((id) => countFor(id, totals ?? NOTHING))));
  const counted = TABS.map((id, at) => ({ id, label: texts.tabs[id], count: counts[at] ?? 0 }));
  return (
    <div className={styles.tabs}>
      <ViewTabs
        label={texts.tabsLabel}
        tabs={counted.map((each) => ({ ...each, tone: TONES[each.id] }))}
        selected={tab}
        onSelect={openTab}
        className={styles.filters}
      />
      <div className={styles.tabChoice}>
        <Select
          flat
          label={texts.tabsLabel}
          value={tab}
          restValue="all"
          options={counted.map(({ id, label, count }) => ({ value: id, label: texts.tabWithCount(label, count) }))}
          onChange={openTab}
        />
      </div>
    </div>
  );
}
