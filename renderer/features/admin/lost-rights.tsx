import { Button } from '../../kit/components/button.tsx';
import styles from './admin.module.css';
import { actionText } from './log/log-values.ts';
import { readAfterLoss, type useLostRights } from './state/lost-rights.ts';
import { texts } from './texts.ts';

const words = texts.lost;
/** The number of changes that are listed; the log has all of them. */
const MOST_CHANGES = 20;
const MOST_ADMINISTRATORS = 10;

type Lost = NonNullable<ReturnType<typeof useLostRights.getState>['lost']>;

/** Says that the account is no administrator any more: who still is one, and which changes the library accepted until then. */
export function LostRightsView({ lost: { administrators, done } }: { lost: Lost }) {
  return (
    <div className={styles.lost} role="alert">
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      <h3>{words.who}</h3>
      {administrators.length === 0 ? <p>{words.nobody}</p> : null}
      <ul className={styles.lines}>
        {administrators.slice(0, MOST_ADMINISTRATORS).map(({ name, email }) => (
          <li key={email || name}>{words.administrator(name, email)}</li>
        ))}
        {administrators.length > MOST_ADMINISTRATORS ? (
          <li className={styles.more}>{words.moreAdministrators(administrators.length - MOST_ADMINISTRATORS)}</li>
        ) : null}
      </ul>
      {done === null ? null : (
        <>
          <h3>{words.done(done.length)}</h3>
          <ul className={styles.lines}>
            {done.slice(0, MOST_CHANGES).map((entry) => (
              <li key={`${entry.at} ${entry.action} ${entry.targetId}`}>
                {words.change(actionText(entry.action), entry.targetName)}
              </li>
            ))}
            {done.length > MOST_CHANGES ? (
              <li className={styles.more}>{words.more(done.length - MOST_CHANGES)}</li>
            ) : null}
          </ul>
        </>
      )}
      <Button onPress={() => void readAfterLoss()}>{words.again}</Button>
    </div>
  );
}
