import { X } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import {
  type FoundCell,
  findNext,
  type GridSearch,
  previewReplace,
  replaceAll,
} from '../../../../shared/model/grid/find-replace.ts';
import { focusCell, rangeOf, sizeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import styles from './find-bar.module.css';
import { texts } from './texts.ts';
import type { Grid } from './use-grid.ts';

/** The number of cells in the preview. */
const SHOWN = 4;
const words = texts.find;

/** Finds and replaces a text. Lists the changes before it replaces anything. */
export function FindBar({ grid, onClose }: { grid: Grid; onClose: () => void }) {
  const { model } = grid;
  const [search, setSearch] = useState<GridSearch>({ find: '', matchCase: false, inSelection: false });
  const [replaceWith, setReplaceWith] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  // In a large table, the preview may follow the key with a delay.
  const [wanted, replacement, shown] = [
    useDeferredValue(search),
    useDeferredValue(replaceWith),
    useDeferredValue(model),
  ];
  const preview = useMemo(() => previewReplace(shown, wanted, replacement, SHOWN), [shown, wanted, replacement]);
  const hasRange = sizeOf(rangeOf(model.selection)).cells > 1;
  const next = () => {
    const place = findNext(model, search);
    if (place === null) return;
    const keepsRange = search.inSelection && hasRange;
    grid.act(
      (now) =>
        keepsRange
          ? { ...now, selection: { ...now.selection, focus: place } }
          : focusCell(now, place, { extends: false }),
      { keepsFocus: true },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    } else if (event.key === 'Enter' && event.target === input.current) {
      event.preventDefault();
      next();
    }
  };
  const total = preview.cells + preview.readOnly;
  return (
    <search aria-label={words.label} className={styles.bar} onKeyDownCapture={onKeyDown}>
      <div className={styles.fields}>
        <TextField
          label={words.find}
          inputRef={input}
          value={search.find}
          onChange={(find) => setSearch({ ...search, find })}
        />
        <TextField label={words.replaceWith} value={replaceWith} onChange={setReplaceWith} />
        <div className={styles.options}>
          <Checkbox isSelected={search.matchCase} onChange={(matchCase) => setSearch({ ...search, matchCase })}>
            {words.matchCase}
          </Checkbox>
          <Checkbox isSelected={search.inSelection} onChange={(inSelection) => setSearch({ ...search, inSelection })}>
            {words.inSelection}
          </Checkbox>
        </div>
        <div className={styles.buttons}>
          <Button isDisabled={search.find === ''} onPress={next}>
            {words.next}
          </Button>
          <Button
            variant="primary"
            isDisabled={preview.cells === 0}
            onPress={() => grid.act((now) => replaceAll(now, search, replaceWith), { keepsFocus: true })}
          >
            {words.replaceAll(preview.cells)}
          </Button>
          <IconButton label={words.close} keys="Esc" onPress={onClose}>
            <X size={16} />
          </IconButton>
        </div>
      </div>
      {wanted.find === '' ? null : (
        <div className={styles.preview} role="status" aria-label={words.preview}>
          <span className={styles.count}>
            {total === 0 ? words.none : words.count(preview.occurrences, preview.cells)}
            {preview.readOnly === 0 ? null : ` · ${words.readOnly(preview.readOnly)}`}
          </span>
          {preview.first.map((found) => (
            <PreviewLine
              key={`${found.row} ${found.column}`}
              found={found}
              column={model.columns[found.column]?.label ?? ''}
            />
          ))}
          {preview.cells > preview.first.length ? (
            <span className={styles.more}>{words.more(preview.cells - preview.first.length)}</span>
          ) : null}
        </div>
      )}
    </search>
  );
}

function PreviewLine({ found, column }: { found: FoundCell; column: string }) {
  const { row, before, after } = found;
  return (
    <div className={styles.line}>
      <span className={styles.where}>
        {column} {row + 1}
      </span>
      <del className={styles.before}>{before}</del>
      <span aria-hidden>→</span>
      <ins className={styles.after}>{after}</ins>
    </div>
  );
}
