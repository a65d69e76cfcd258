import { Toolbar } from 'react-aria-components';
import { classes } from '../button.tsx';
import styles from './token-buttons.module.css';

interface TokenButtonsProps {
  /** The name of the group, for screen readers. */
  label: string;
  tokens: readonly { token: string; meaning: string }[];
  onAdd: (token: string) => void;
}

/** The classes of small buttons that add text to a field. The caller sets the font. */
export { styles as tokenStyles };

/** Buttons that add tokens to a template. Together they are one stop of the Tab key; the arrow keys move between them. */
export function TokenButtons({ label, tokens, onAdd }: TokenButtonsProps) {
  return (
    <Toolbar aria-label={label} className={styles.tokens ?? ''}>
      {tokens.map(({ token, meaning }) => (
        <button
          key={token}
          type="button"
          className={classes(styles.token, styles.code)}
          title={meaning}
          onClick={() => onAdd(token)}
        >
          {`{${token}}`}
        </button>
      ))}
    </Toolbar>
  );
}

/** Returns a template with a token at its end, after a blank. */
export function withToken(template: string, token: string): string {
  return `${template}${template === '' || template.endsWith(' ') ? '' : ' '}{${token}}`;
}
