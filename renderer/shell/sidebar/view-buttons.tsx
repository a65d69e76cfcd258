import {
  ArrowUpFromLine,
  CalendarDays,
  Eye,
  LibraryBig,
  type LucideIcon,
  PencilLine,
  ReceiptText,
  Settings,
} from 'lucide-react';
import { Button as AriaButton, Tooltip, TooltipTrigger } from 'react-aria-components';
import { pendingOf } from '../../../shared/model/uploads/upload-counts.ts';
import { openCollection } from '../../features/common/commands/commands.ts';
import { showSettings, showView, useApp, type View } from '../../features/common/state/app-store.ts';
import { closeDrawer } from '../../features/common/state/layout-store.ts';
import { attentionTotal, useEdits } from '../../features/edits/state/edits-store.ts';
import { useTree } from '../../features/library/state/tree-store.ts';
import { useUploads } from '../../features/uploads/state/uploads-store.ts';
import { attentionOfFolders, useWatched } from '../../features/watched/state/watched-store.ts';
import { classes, tooltipStyle } from '../../kit/components/button.tsx';
import { formatCount } from '../../kit/text/format.ts';
import { failuresOf } from '../../kit/text/upload-text.ts';
import { texts } from '../texts.ts';
import styles from './sidebar.module.css';

const VIEWS: readonly { view: View; icon: LucideIcon; open: () => void }[] = [
  { view: 'library', icon: LibraryBig, open: () => openCollection(null) },
  { view: 'calendar', icon: CalendarDays, open: () => showView('calendar') },
  { view: 'edits', icon: PencilLine, open: () => showView('edits') },
  { view: 'uploads', icon: ArrowUpFromLine, open: () => showView('uploads') },
  { view: 'watched', icon: Eye, open: () => showView('watched') },
  { view: 'receipts', icon: ReceiptText, open: () => showView('receipts') },
  { view: 'settings', icon: Settings, open: () => showSettings() },
];

/** The buttons of the views; `iconsOnly` in the rail that replaces the sidebar. */
export function ViewButtons({ iconsOnly = false }: { iconsOnly?: boolean }) {
  const current = useApp((state) => state.view);
  const isAll = useTree((state) => state.selectedId === null);
  return (
    <nav className={styles.views} aria-label={texts.sidebar.views}>
      {VIEWS.map(({ view, icon: Icon, open }) => {
        // In the sidebar the open collection is marked in the tree; the rail has no tree.
        const isCurrent = view === current && (view !== 'library' || isAll || iconsOnly);
        const button = (
          <AriaButton
            className={classes(styles.view, iconsOnly && styles.iconView)}
            onPress={() => {
              closeDrawer();
              open();
            }}
            {...(isCurrent ? { 'aria-current': 'page' as const, 'data-current': '' } : {})}
          >
            <Icon size={iconsOnly ? 18 : 16} strokeWidth={1.75} aria-hidden />
            <span className={iconsOnly ? 'visually-hidden' : styles.name}>{texts.sidebar.names[view]}</span>
            {view === 'edits' ? <EditsBadge iconsOnly={iconsOnly} /> : null}
            {view === 'uploads' ? <UploadsBadge iconsOnly={iconsOnly} /> : null}
            {view === 'watched' ? <WatchedBadge iconsOnly={iconsOnly} /> : null}
          </AriaButton>
        );
        if (!iconsOnly) return <span key={view}>{button}</span>;
        return (
          <TooltipTrigger key={view} delay={300} closeDelay={0}>
            {button}
            <Tooltip className={tooltipStyle} placement="right" offset={6}>
              {texts.sidebar.names[view]}
            </Tooltip>
          </TooltipTrigger>
        );
      })}
    </nav>
  );
}

function UploadsBadge({ iconsOnly }: { iconsOnly: boolean }) {
  const pending = useUploads((state) => (state.totals === null ? 0 : pendingOf(state.totals.counts)));
  const failed = useUploads((state) => (state.totals === null ? 0 : failuresOf(state.totals)));
  const asking = useUploads((state) => state.totals?.duplicates ?? 0);
  const isHeld = useUploads((state) => state.totals?.paused === true || state.totals?.blockedBy != null);
  if (pending === 0 && failed === 0 && asking === 0) return null;
  const isBad = pending === 0 && failed > 0;
  const count = isBad ? failed : pending > 0 ? pending : asking;
  const meaning = isBad ? texts.sidebar.failed : pending > 0 ? texts.sidebar.inProgress : texts.sidebar.asking(asking);
  return (
    <Badge
      count={count}
      meaning={meaning}
      isMeaningShown={isBad && !iconsOnly}
      iconsOnly={iconsOnly}
      look={isBad ? styles.badgeBad : isHeld ? styles.badgePaused : undefined}
      testId="uploads-badge"
    />
  );
}

/** How many edits need the user. */
function EditsBadge({ iconsOnly }: { iconsOnly: boolean }) {
  const count = useEdits((state) => attentionTotal(state.totals));
  if (count === 0) return null;
  const meaning = texts.sidebar.attention(count);
  return (
    <Badge
      count={count}
      meaning={meaning}
      iconsOnly={iconsOnly}
      isMeaningShown={false}
      look={styles.badgeBad}
      testId="edits-badge"
    />
  );
}

/** How many files and folders need the user. */
function WatchedBadge({ iconsOnly }: { iconsOnly: boolean }) {
  const count = useWatched(({ folders }) => (folders === null ? 0 : attentionOfFolders(folders)));
  if (count === 0) return null;
  const meaning = texts.sidebar.attention(count);
  return (
    <Badge
      count={count}
      meaning={meaning}
      iconsOnly={iconsOnly}
      isMeaningShown={false}
      look={styles.badgeWait}
      testId="watched-badge"
    />
  );
}

interface BadgeProps {
  count: number;
  /** The unit of the count, for screen readers. */
  meaning: string;
  isMeaningShown: boolean;
  iconsOnly: boolean;
  look: string | undefined;
  testId: string;
}

function Badge({ count, meaning, isMeaningShown, iconsOnly, look, testId }: BadgeProps) {
  // The rail has room for two digits.
  const shown = iconsOnly && count > 99 ? '99+' : formatCount(count);
  return (
    <span className={classes(styles.badge, look)} data-testid={testId}>
      <span aria-hidden={shown !== formatCount(count)}>{shown}</span>
      {shown === formatCount(count) ? null : <span className="visually-hidden">{formatCount(count)}</span>}
      <span className={isMeaningShown ? undefined : 'visually-hidden'}> {meaning}</span>
    </span>
  );
}
