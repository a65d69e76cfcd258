import styles from './token-buttons.module.css';

interface TokenButtonsProps {
  tokens: readonly { token: string; meaning: string }[];
  onAdd: (token: string) => void;
}

/** Buttons that add tokens to a template. */
export function TokenButtons({ tokens, onAdd }: TokenButtonsProps) {
  return (
    <div className={styles.tokens}>
      {tokens.map(({ token, meaning }) => (
        <button key={token} type="button" className={styles.token} title={meaning} onClick={() => onAdd(token)}>
          {`{${token}}`}
        </button>
      ))}
    </div>
  );
}

/** Returns a template with a token at its end, after a blank. */
export function withToken(template: string, token: string): string {
  return `${template}${template === '' || template.endsWith(' ') ? '' : ' '}{${token}}`;
}
