import { Captions, Gauge, Pause, Play, RotateCcw, RotateCw, Volume2, VolumeX } from 'lucide-react';
import { IconButton } from '../../../kit/components/button.tsx';
import { ActionMenu } from '../../../kit/components/overlay/menu.tsx';
import { formatDuration } from '../../../kit/text/format.ts';
import { RATES, setMuted, setRate, setVolume, usePlayer } from '../state/files/player-store.ts';
import type { KnownWaveform } from '../state/waveforms/waveform-store.ts';
import styles from './player.module.css';
import { Position } from './position.tsx';
import { texts } from './texts.ts';
import type { MediaControls } from './use-media-element.ts';

interface PlayerBarProps {
  controls: MediaControls;
  /** The captions to choose from; empty without any. */
  captions: readonly { id: string; label: string }[];
  shownCaptions: string | null;
  onCaptions: (id: string | null) => void;
  /** The waveform of a recording without a picture; null: there is none to show. */
  waveform?: KnownWaveform | null;
  /** Further buttons before the captions. */
  children?: React.ReactNode;
  /** Buttons at the very end. */
  end?: React.ReactNode;
}

/** The controls below a recording. */
export function PlayerBar({
  controls,
  captions,
  shownCaptions,
  onCaptions,
  waveform = null,
  children,
  end,
}: PlayerBarProps) {
  const { state, toggle, seek } = controls;
  const { rate, volume, isMuted } = usePlayer();
  const { time, duration, isPlaying } = state;
  const now = formatDuration(time);
  const total = formatDuration(duration);
  return (
    <div className={styles.bar}>
      <Position controls={controls} waveform={waveform} />
      <div className={styles.buttons}>
        <IconButton label={isPlaying ? texts.player.pause : texts.player.play} keys="K" onPress={toggle}>
          {isPlaying ? <Pause size={18} /> : <Play size={18} />}
        </IconButton>
        <IconButton label={texts.player.back} keys="J" onPress={() => seek(time - 10)}>
          <SkipIcon seconds={-10} />
        </IconButton>
        <IconButton label={texts.player.forward} keys="L" onPress={() => seek(time + 10)}>
          <SkipIcon seconds={10} />
        </IconButton>
        <span className={styles.time} aria-hidden>
          {now} / {total}
        </span>
        <span className={styles.space} />
        {children}
        {captions.length === 0 ? null : (
          <ActionMenu
            label={texts.player.captions}
            placement="top end"
            groups={[
              {
                title: texts.player.captions,
                entries: [{ id: '', label: texts.player.captionsOff }, ...captions].map(({ id, label }) => ({
                  id: `captions-${id}`,
                  label,
                  isChecked: id === (shownCaptions ?? ''),
                  onAction: () => onCaptions(id === '' ? null : id),
                })),
              },
            ]}
          >
            <IconButton label={texts.player.captions} keys="C">
              <Captions size={17} />
            </IconButton>
          </ActionMenu>
        )}
        <ActionMenu
          label={texts.player.speed}
          placement="top end"
          groups={[
            {
              title: texts.player.speed,
              entries: RATES.map((each) => ({
                id: `rate-${each}`,
                label: texts.player.speedText(each),
                isChecked: each === rate,
                onAction: () => setRate(each),
              })),
            },
          ]}
        >
          <IconButton label={`${texts.player.speed}: ${texts.player.speedText(rate)}`}>
            {rate === 1 ? <Gauge size={16} /> : <span className={styles.rate}>{texts.player.speedText(rate)}</span>}
          </IconButton>
        </ActionMenu>
        <IconButton
          label={isMuted ? texts.player.unmute : texts.player.mute}
          keys="M"
          onPress={() => setMuted(!isMuted)}
        >
          {isMuted || volume === 0 ? <VolumeX size={17} /> : <Volume2 size={17} />}
        </IconButton>
        <input
          type="range"
          className={styles.volume}
          aria-label={texts.player.volume}
          aria-valuetext={`${Math.round((isMuted ? 0 : volume) * 100)} %`}
          min={0}
          max={1}
          step={0.05}
          value={isMuted ? 0 : volume}
          onChange={(event) => setVolume(event.currentTarget.valueAsNumber)}
        />
        {end}
      </div>
    </div>
  );
}

/** The icon of a jump by a number of seconds; a negative number jumps back. */
function SkipIcon({ seconds }: { seconds: number }) {
  const Arrow = seconds < 0 ? RotateCcw : RotateCw;
  return (
    <span className={styles.skip} aria-hidden>
      <Arrow size={20} strokeWidth={1.6} />
      <span>{Math.abs(seconds)}</span>
    </span>
  );
}
