import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { setCell } from '../../../../shared/model/grid/grid-changes.ts';
import { type GridModel, type GridOutcome, isReadOnly, textAt } from '../../../../shared/model/grid/grid-model.ts';
import { type GridMove, moveFocus, rangeOf, sizeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { announce } from '../state/messages-store.ts';
import { texts } from './texts.ts';

/** How the edit of a cell began: `type`: with a character that replaced its text; `edit`: with its existing text. */
type Editing = 'type' | 'edit';

/** The state of a grid on the screen, and the functions that its parts use. */
export interface Grid {
  model: GridModel;
  root: RefObject<HTMLElement | null>;
  editing: Editing | null;
  /** Replaces the model. The focused cell gets the keyboard focus, unless `keepsFocus` is set. */
  act: (change: (model: GridModel) => GridModel, options?: { keepsFocus: boolean }) => void;
  beginEdit: (how: Editing) => void;
  /** Stores the text of the edited cell, then moves. */
  commit: (move?: GridMove | 'tab' | 'tab-back' | 'enter' | 'enter-back') => void;
  cancelEdit: () => void;
  /** Moves the keyboard focus to the focused cell. */
  focusInput: () => void;
}

/** The selector of the element in a cell that has the keyboard focus. */
const INPUT = '[data-cell-input]';

/** Returns the sentence about an action, for screen readers and the status line. */
export function gridOutcomeText({ action, changed, readOnly, outside }: GridOutcome): string {
  return [
    texts.done(action, changed),
    ...(readOnly > 0 ? [texts.skipped(readOnly)] : []),
    ...(outside > 0 ? [texts.outside(outside)] : []),
  ].join(' ');
}

/** Connects a model to the screen: edits of single cells, the keyboard focus, announcements. */
export function useGrid(model: GridModel, onModel: (model: GridModel) => void): Grid {
  const root = useRef<HTMLElement>(null);
  const latest = useRef(model);
  latest.current = model;
  const [editing, setEditing] = useState<Editing | null>(null);
  const editingNow = useRef<Editing | null>(null);
  editingNow.current = editing;
  /** The column in which a sequence of Tab keys began: Enter returns to it. Any other movement resets it. */
  const tabStart = useRef<number | null>(null);

  const focusInput = useCallback(() => {
    const input = root.current?.querySelector<HTMLElement>(INPUT);
    input?.focus({ preventScroll: true });
    if (input instanceof HTMLTextAreaElement && editingNow.current === null) input.select();
  }, []);

  const act = useCallback(
    (change: (model: GridModel) => GridModel, options = { keepsFocus: false }) => {
      const before = latest.current;
      const next = change(before);
      if (next !== before) {
        if (next.selection.focus !== before.selection.focus) tabStart.current = null;
        latest.current = next;
        flushSync(() => onModel(next));
        if (next.last !== null) announce(gridOutcomeText(next.last));
        else announceSize(before, next);
      }
      if (!options.keepsFocus) focusInput();
    },
    [onModel, focusInput],
  );

  const beginEdit = useCallback((how: Editing) => {
    const { selection } = latest.current;
    if (isReadOnly(latest.current, selection.focus)) {
      announce(texts.isReadOnly);
      return;
    }
    editingNow.current = how;
    setEditing(how);
  }, []);

  const endEdit = useCallback(() => {
    editingNow.current = null;
    flushSync(() => setEditing(null));
  }, []);

  const cancelEdit = useCallback(() => {
    const input = root.current?.querySelector<HTMLTextAreaElement>(INPUT);
    if (input != null) input.value = textAt(latest.current, latest.current.selection.focus);
    endEdit();
    focusInput();
  }, [endEdit, focusInput]);

  const commit = useCallback<Grid['commit']>(
    (move) => {
      const before = latest.current;
      const input = root.current?.querySelector<HTMLTextAreaElement>(INPUT);
      let next = before;
      if (editingNow.current !== null && input != null) {
        next = setCell(before, before.selection.focus, input.value);
        endEdit();
      }
      if (move !== undefined) next = moved(next, move, tabStart);
      else tabStart.current = null;
      if (next === before) return;
      latest.current = next;
      flushSync(() => onModel(next));
      if (move !== undefined) focusInput();
    },
    [endEdit, focusInput, onModel],
  );

  // The text of the cell can change while the cell is focused, for example by an undo.
  const focusText = textAt(model, model.selection.focus);
  useLayoutEffect(() => {
    const input = root.current?.querySelector(INPUT);
    if (!(input instanceof HTMLTextAreaElement) || editingNow.current !== null || input.value === focusText) return;
    input.value = focusText;
    if (document.activeElement === input) input.select();
  }, [focusText]);

  return { model, root, editing, act, beginEdit, commit, cancelEdit, focusInput };
}

function moved(
  model: GridModel,
  move: Exclude<Parameters<Grid['commit']>[0], undefined>,
  tabStart: RefObject<number | null>,
): GridModel {
  const options = { extends: false };
  if (typeof move === 'object') {
    tabStart.current = null;
    return moveFocus(model, move, options);
  }
  if (move === 'tab' || move === 'tab-back') {
    tabStart.current ??= model.selection.focus.column;
    return moveFocus(model, { kind: 'step', direction: move === 'tab' ? 'right' : 'left' }, options);
  }
  const column = tabStart.current;
  tabStart.current = null;
  const next = moveFocus(model, { kind: 'step', direction: move === 'enter' ? 'down' : 'up' }, options);
  if (column === null) return next;
  const focus = { row: next.selection.focus.row, column };
  return { ...next, selection: { anchor: focus, extent: focus, focus } };
}

/** A movement of the focus is read by the screen reader itself; the size of a selection is not. */
function announceSize(before: GridModel, next: GridModel): void {
  const [was, now] = [sizeOf(rangeOf(before.selection)), sizeOf(rangeOf(next.selection))];
  if (now.cells > 1 && (was.rows !== now.rows || was.columns !== now.columns)) {
    announce(texts.selected(now.rows, now.columns));
  }
}
