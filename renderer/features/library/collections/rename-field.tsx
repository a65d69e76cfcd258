import { useEffect, useRef, useState } from 'react';
import type { CollectionRow } from '../../../../shared/contract/library.ts';
import { showError, warn } from '../../common/state/messages-store.ts';
import { renameCollection } from '../state/collections/collection-commands.ts';
import { nameProblem } from '../state/collections/collection-draft.ts';
import { startRename } from '../state/collections/collections-store.ts';
import styles from './collection-tree.module.css';
import { texts } from './texts.ts';

/** Edits the name of a collection in its line. Enter or a click elsewhere saves the name, Escape cancels. */
export function RenameField({ row }: { row: CollectionRow }) {
  const [name, setName] = useState(row.displayName);
  const [state, setState] = useState<'typing' | 'saving' | 'failed'>('typing');
  const field = useRef<HTMLInputElement>(null);
  // Moving the keyboard focus away blurs the field, which would save the name a second time.
  const hasEnded = useRef(false);
  useEffect(() => field.current?.select(), []);

  const end = () => {
    hasEnded.current = true;
    field.current?.closest<HTMLElement>('[role="tree"]')?.focus({ preventScroll: true });
    startRename(null);
  };
  const commit = async () => {
    if (state === 'saving') return;
    const problem = nameProblem(name);
    if (problem !== null) {
      setState('failed');
      return warn(problem, null);
    }
    if (name.trim() === row.displayName) return end();
    setState('saving');
    try {
      await renameCollection(row.id, name.trim());
      end();
    } catch (thrown) {
      // The text stays in the field, so that the user can correct or copy it.
      showError(thrown);
      setState('failed');
      field.current?.focus();
    }
  };
  return (
    <input
      ref={field}
      className={styles.rename}
      aria-label={texts.rename.label(row.displayName)}
      aria-invalid={state === 'failed'}
      readOnly={state === 'saving'}
      value={name}
      maxLength={1000}
      spellCheck
      // biome-ignore lint/a11y/noAutofocus: the user asked to rename
      autoFocus
      onChange={(event) => {
        setName(event.target.value);
        setState('typing');
      }}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onContextMenu={(event) => event.stopPropagation()}
      onBlur={() => {
        if (state === 'typing' && !hasEnded.current) void commit();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') {
          event.preventDefault();
          void commit();
        }
        if (event.key === 'Escape') {
          event.preventDefault();
          end();
        }
      }}
    />
  );
}
