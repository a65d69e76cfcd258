import { Clock } from 'lucide-react';
import { classes } from '../../../kit/components/button.tsx';
import type { SearchOffer } from './search-offers.ts';
import styles from './search-option.module.css';

/** An offer below the search field. */
export function SearchOption({ offer: { kind, label, detail } }: { offer: SearchOffer }) {
  return (
    <>
      {kind === 'recent' ? <Clock className={styles.icon} size={13} aria-hidden /> : null}
      <span className={classes(styles.name, kind === 'forget' && styles.forget)}>{label}</span>
      {detail === '' ? null : <span className={styles.detail}>{detail}</span>}
    </>
  );
}
