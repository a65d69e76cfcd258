import type { StateLook } from '../../text/states.ts';
import { classes } from '../button.tsx';
import { Glyph } from '../glyph.tsx';
import styles from './state-chip.module.css';

interface StateChipProps {
  look: StateLook;
  /** The name of the state in the engine or the library. */
  state: string;
  filled?: boolean;
}

/** A state as a word, an icon and a color. */
export function StateChip({ look, state, filled = false }: StateChipProps) {
  return (
    <span className={classes(styles.chip, styles[look.tone], filled && styles.filled)} data-state={state}>
      <Glyph name={look.icon} className={look.icon === 'processing' ? styles.turning : undefined} />
      {look.word}
    </span>
  );
}
