import { shownSeconds } from '../../../../shared/model/waveform/waveform.ts';
import { isSilent } from '../../../../shared/model/waveform/waveform-marks.ts';
import { formatDuration } from '../../../kit/text/format.ts';
import { WaveformCanvas } from '../../../kit/waveform/waveform-canvas.tsx';
import { filesOf, useAdd } from '../state/add-store.ts';
import { useLocalSound } from '../state/local-sound.ts';
import styles from './sound-list.module.css';
import { texts } from './texts.ts';

/** The lengths and waveforms of a few dropped recordings, so that an empty or wrong one is noticed before it is sent. */
export function SoundList() {
  const sounds = useLocalSound((state) => state.sounds);
  const preview = useAdd((state) => state.preview);
  const listed = new Set(filesOf(preview).map(({ path }) => path));
  const shown = sounds.filter(({ path, result }) => listed.has(path) && result?.kind === 'peaks');
  if (shown.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={texts.sound.label}>
      {shown.map(({ path, name, result }) =>
        result?.kind !== 'peaks' ? null : (
          <li key={path} className={styles.sound}>
            <span className={styles.name} title={name}>
              {name}
            </span>
            <span className={styles.length}>{formatDuration(shownSeconds(result))}</span>
            {isSilent(result) ? (
              <strong className={styles.silent}>{texts.sound.silent}</strong>
            ) : (
              <WaveformCanvas waveform={result} className={styles.waveform} />
            )}
          </li>
        ),
      )}
    </ul>
  );
}
