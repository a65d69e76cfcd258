import styles from './waveform.module.css';

const COUNT = 72;

/** Bar heights of an invented recording. */
const HEIGHTS = Array.from({ length: COUNT }, (_, index) => {
  const swell = Math.sin(index / 7.5) * 0.5 + Math.sin(index / 19 + 1) * 0.5;
  const syllable = Math.abs(Math.sin(index * 1.7) * Math.cos(index * 0.61));
  return 5 + Math.abs(swell) * 62 * (0.35 + syllable * 0.65) + syllable * 22;
});

/** The picture of the sign-in page: a waveform with the played part in the accent color. */
export function Waveform() {
  return (
    <svg className={styles.wave} viewBox={`0 0 ${COUNT * 9} 200`} aria-hidden="true" role="presentation">
      {HEIGHTS.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change their order
          key={index}
          className={index < 31 ? styles.played : styles.coming}
          x={index * 9}
          y={100 - height}
          width={4}
          height={height * 2}
          rx={2}
        />
      ))}
      <rect className={styles.head} x={30.5 * 9 + 2} y={8} width={1.5} height={184} rx={0.75} />
      <circle className={styles.head} cx={30.5 * 9 + 2.75} cy={8} r={4} />
    </svg>
  );
}
