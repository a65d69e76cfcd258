import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { CHECKED, UNCHECKED } from '../../../../shared/model/grid/cell-text.ts';
import { fillSelection, setCell } from '../../../../shared/model/grid/grid-changes.ts';
import { type GridPlace, isReadOnly, problemAt, textAt } from '../../../../shared/model/grid/grid-model.ts';
import { classes } from '../../../kit/components/button.tsx';
import { ChoiceList, shownChoices, useTagChoices, withLastTag } from './choice-list.tsx';
import styles from './grid-editor.module.css';
import { CheckMark } from './grid-row.tsx';
import { texts } from './texts.ts';
import type { Grid } from './use-grid.ts';

interface CellInputProps {
  grid: Grid;
  place: GridPlace;
  /** The id of the element that shows the problem of the cell. */
  problemId: string;
}

/** The element in the focused cell that has the keyboard focus: a text field, or a check box. */
export function CellInput(props: CellInputProps) {
  const column = props.grid.model.columns[props.place.column];
  if (column === undefined) return null;
  return column.kind === 'check' ? <CheckInput {...props} /> : <TextInput {...props} />;
}

/**
 * The text field of a cell. It has the keyboard focus even before an edit begins, with its text selected and invisible: any text
 * input (a key, an input method, dictation) then replaces the selected text by itself.
 */
function TextInput({ grid, place, problemId }: CellInputProps) {
  const { model, editing } = grid;
  const column = model.columns[place.column];
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const isTags = column?.kind === 'tags';
  const tags = useTagChoices(isTags && editing !== null ? typed : null);
  const offered = isTags
    ? tags
    : column?.kind === 'choice' && editing !== null
      ? shownChoices(column.choices ?? [], typed)
      : null;
  const choices = isTags && tags.length === 0 ? null : offered;
  const initial = useRef(textAt(model, place));

  useLayoutEffect(() => {
    const input = field.current;
    if (input === null) return;
    if (editing === 'edit') {
      input.setSelectionRange(input.value.length, input.value.length);
      input.scrollTop = input.scrollHeight;
    }
    if (editing === null) {
      setTyped(null);
      setActive(-1);
    }
  }, [editing]);

  const take = (choice: string | undefined) => {
    if (field.current === null || choice === undefined) return;
    field.current.value = isTags ? withLastTag(field.current.value, choice) : choice;
  };
  /** Closes the list after a tag was accepted, so that the user can type another tag. */
  const closeList = () => {
    setTyped(null);
    setActive(-1);
  };
  /** Handles the keys of the list. Returns whether the key was handled completely. */
  const onListKey = (event: KeyboardEvent<HTMLTextAreaElement>, list: readonly string[]): boolean => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      const step = key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + list.length) % Math.max(1, list.length));
      return true;
    }
    if (key !== 'Enter' && key !== 'Tab') return false;
    // A typed tag may be a new tag, so only a chosen suggestion replaces it.
    take(list[active] ?? (isTags || typed === null || typed === '' ? undefined : list[0]));
    if (!isTags || active < 0 || key === 'Tab') return false;
    event.preventDefault();
    event.stopPropagation();
    closeList();
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (editing === null || isComposing(event)) return;
    if (choices !== null && onListKey(event, choices)) return;
    editKey(event, grid);
  };
  const problem = problemAt(model, place);
  return (
    <>
      <textarea
        ref={field}
        data-cell-input
        className={classes(styles.input, editing !== null && styles.editing)}
        defaultValue={initial.current}
        readOnly={isReadOnly(model, place)}
        rows={1}
        spellCheck={editing !== null && (column?.kind === 'multiline' || column?.kind === 'text')}
        aria-label={column?.label}
        {...(problem === null ? {} : { 'aria-invalid': true, 'aria-describedby': problemId })}
        {...(choices === null
          ? {}
          : {
              role: 'combobox',
              'aria-expanded': true,
              'aria-controls': listId,
              'aria-autocomplete': 'list' as const,
              ...(active >= 0 ? { 'aria-activedescendant': `${listId}-${active}` } : {}),
            })}
        onCompositionStart={() => {
          if (editing === null) grid.beginEdit('type');
        }}
        onInput={(event) => {
          if (editing === null) grid.beginEdit('type');
          setTyped(event.currentTarget.value);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          // Not when another window gets the focus: the edit continues when the user returns.
          if (editing !== null && document.hasFocus() && event.relatedTarget !== null) grid.commit();
        }}
      />
      {choices === null ? null : (
        <ChoiceList
          id={listId}
          label={texts.choices(column?.label ?? '')}
          choices={choices}
          active={active}
          onTake={(choice) => {
            take(choice);
            if (isTags) return closeList();
            grid.commit();
            grid.focusInput();
          }}
        />
      )}
    </>
  );
}

/** Returns whether an input method uses the key. 229: its first key, before the composition begins. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229;
}

/** Handles the keys of a cell that is being edited; all other keys belong to the text field. */
function editKey(event: KeyboardEvent<HTMLTextAreaElement>, grid: Grid): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const input = event.currentTarget;
  const handled = () => {
    event.preventDefault();
    event.stopPropagation();
  };
  // All other keys stay in the text field: they are neither keys of the grid nor shortcuts of the window.
  event.stopPropagation();
  if (key === 'Escape') {
    handled();
    grid.cancelEdit();
  } else if (key === 'Enter' && altKey) {
    handled();
    input.setRangeText('\n', input.selectionStart, input.selectionEnd, 'end');
  } else if (key === 'Enter' && (ctrlKey || metaKey)) {
    handled();
    const { value } = input;
    grid.cancelEdit();
    grid.act((model) => fillSelection(model, value));
  } else if (key === 'Enter') {
    handled();
    grid.commit(shiftKey ? 'enter-back' : 'enter');
  } else if (key === 'Tab') {
    handled();
    grid.commit(shiftKey ? 'tab-back' : 'tab');
  } else if (grid.editing === 'type' && !shiftKey && !ctrlKey && !metaKey && !altKey) {
    const direction = TYPE_MOVES[key];
    if (direction === undefined) return;
    handled();
    grid.commit({ kind: 'step', direction });
  }
}

/** While typed text replaces the text of a cell, arrow keys end the edit and move the focus. */
const TYPE_MOVES: Readonly<Record<string, 'up' | 'down' | 'left' | 'right'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

function CheckInput({ grid, place, problemId }: CellInputProps) {
  const { model } = grid;
  const isOn = textAt(model, place) === CHECKED;
  const problem = problemAt(model, place);
  const toggle = () => grid.act((current) => setCell(current, place, isOn ? UNCHECKED : CHECKED));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the box of all other rows is drawn the same way
    <span
      data-cell-input
      role="checkbox"
      tabIndex={0}
      className={styles.checkInput}
      aria-checked={isOn}
      aria-label={model.columns[place.column]?.label}
      {...(isReadOnly(model, place) ? { 'aria-readonly': true } : {})}
      {...(problem === null ? {} : { 'aria-invalid': true, 'aria-describedby': problemId })}
      onKeyDown={(event) => {
        if (event.key !== ' ' && event.key !== 'Enter') return;
        if (event.ctrlKey || event.shiftKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        toggle();
      }}
      onClick={toggle}
    >
      <CheckMark isOn={isOn} />
    </span>
  );
}
