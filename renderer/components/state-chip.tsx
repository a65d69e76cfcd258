import {
  ArrowUp,
  Ban,
  CalendarClock,
  Check,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CirclePause,
  Clock,
  LoaderCircle,
  type LucideIcon,
  PencilLine,
  SkipForward,
} from 'lucide-react';
import type { StateIcon, StateLook } from '../text/states.ts';
import { classes } from './button.tsx';
import styles from './state-chip.module.css';

const ICONS: Readonly<Record<StateIcon, LucideIcon>> = {
  queued: CircleDashed,
  preparing: CircleDot,
  sending: ArrowUp,
  finishing: Check,
  processing: LoaderCircle,
  waiting: Clock,
  paused: CirclePause,
  complete: CircleCheck,
  failed: CircleAlert,
  cancelled: Ban,
  skipped: SkipForward,
  published: CircleCheck,
  scheduled: CalendarClock,
  draft: PencilLine,
  unknown: CircleHelp,
};

export interface StateChipProps {
  look: StateLook;
  /** The state as the engine or the library calls it. */
  state: string;
  filled?: boolean;
}

/** A state as a word, an icon and a colour. */
export function StateChip({ look, state, filled = false }: StateChipProps) {
  const Icon = ICONS[look.icon];
  return (
    <span className={classes(styles.chip, styles[look.tone], filled && styles.filled)} data-state={state}>
      <Icon
        size={14}
        strokeWidth={2}
        aria-hidden
        {...(look.icon === 'processing' ? { className: styles.turning } : {})}
      />
      <span>{look.word}</span>
    </span>
  );
}
