import { typeWord } from '../text/states.ts';
import { classes } from './button.tsx';
import { Glyph, type GlyphName } from './glyph.tsx';
import styles from './type-icon.module.css';

const GLYPHS: Readonly<Record<string, GlyphName>> = { audio: 'audio', video: 'video', doc: 'doc', image: 'image' };

/** The icon of a media type. */
export function TypeIcon({ type, isCell = false }: { type: string | null; isCell?: boolean }) {
  const word = typeWord(type);
  const glyph = <Glyph name={GLYPHS[type ?? ''] ?? 'file'} size={15} />;
  const place = {
    className: classes(styles.tint, styles.type),
    'data-type': type ?? '',
    title: word,
    'aria-label': word,
  };
  return isCell ? (
    // biome-ignore lint/a11y/useSemanticElements: a cell of a grid that is placed by CSS
    <span role="gridcell" tabIndex={-1} {...place}>
      {glyph}
    </span>
  ) : (
    <span role="img" {...place}>
      {glyph}
    </span>
  );
}
