import type { TimetableWindow } from '../../../../shared/contract/settings.ts';
import { limitWords } from '../../../kit/text/limit-text.ts';
import { DAY_SHORT, WEEK } from '../../../kit/text/weekdays.ts';
import { texts } from '../texts.ts';
import { timeOfDay, weekParts } from './timetable-text.ts';
import styles from './week-chart.module.css';

interface WeekChartProps {
  timetable: readonly TimetableWindow[];
  usual: number | null;
}

/** The week as a chart of its active limits. The editor contains the same data as text. */
export function WeekChart({ timetable, usual }: WeekChartProps) {
  const week = weekParts(timetable, usual);
  return (
    <div className={styles.chart} role="img" aria-label={texts.timetable.chart}>
      {week.map((parts, place) => (
        <div key={WEEK[place]} className={styles.day}>
          <span className={styles.name}>{DAY_SHORT[WEEK[place] ?? 0]}</span>
          <span className={styles.bar}>
            {parts.map((part) => (
              <span
                key={part.from}
                className={styles.part}
                data-kind={
                  part.isUsual ? 'usual' : part.limit === 0 ? 'nothing' : part.limit === null ? 'free' : 'limit'
                }
                style={{ flexGrow: part.to - part.from }}
                title={texts.timetable.part(timeOfDay(part.from), timeOfDay(part.to), limitWords(part.limit))}
              />
            ))}
          </span>
        </div>
      ))}
      <div className={styles.day}>
        <span className={styles.name} />
        <span className={styles.hours}>
          {['0', '6', '12', '18', '24'].map((hour) => (
            <span key={hour}>{hour}</span>
          ))}
        </span>
      </div>
      <div className={styles.legend}>
        <Key kind="usual" word={texts.timetable.legend.usual} />
        <Key kind="limit" word={texts.timetable.legend.limit} />
        <Key kind="free" word={texts.timetable.legend.free} />
        <Key kind="nothing" word={texts.timetable.legend.nothing} />
      </div>
    </div>
  );
}

function Key({ kind, word }: { kind: string; word: string }) {
  return (
    <span>
      <i className={styles.part} data-kind={kind} />
      {word}
    </span>
  );
}
