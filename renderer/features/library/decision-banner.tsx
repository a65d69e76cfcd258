import { Button } from '../../kit/components/button.tsx';
import { Glyph } from '../../kit/components/glyph.tsx';
import { attentionTotal, useEdits } from '../edits/state/edits-store.ts';
import { decideFirst } from '../edits/state/row-dialogs-store.ts';
import styles from './decision-banner.module.css';
import { texts } from './texts.ts';

/** Shows above the list how many edits need the user, until there are none. The user can't dismiss it. */
export function DecisionBanner() {
  const count = useEdits((state) => attentionTotal(state.totals));
  if (count === 0) return null;
  return (
    <section className={styles.banner} aria-label={texts.decisions.label}>
      <Glyph name="warning" size={15} />
      <span className={styles.text}>{texts.decisions.need(count)}</span>
      <Button onPress={() => void decideFirst()}>{texts.decisions.open}</Button>
    </section>
  );
}
