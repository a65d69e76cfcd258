import { ChevronRight, Folder, Podcast } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { openCollection } from '../../features/common/commands/commands.ts';
import { openPanel, useApp } from '../../features/common/state/app-store.ts';
import { showError } from '../../features/common/state/messages-store.ts';
import { type FoundCollection, searchCollections } from '../../features/library/state/tree-store.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { paletteCommands } from '../commands/command-table.ts';
import { texts } from '../texts.ts';
import styles from './dialogs.module.css';
import { byBeginning, matches } from './matches.ts';

/** Finds commands and collections by name. */
export function CommandPalette() {
  const isOpen = useApp((state) => state.panel === 'palette');
  return (
    <ModalOverlay
      className={styles.palette ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) openPanel(null);
      }}
    >
      <Modal className={styles.paletteBox ?? ''}>
        <Dialog className={styles.paletteDialog ?? ''} aria-label={texts.palette.label}>
          <Palette />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface Choice {
  id: string;
  name: string;
  /** The text after the name: the place of the choice, or the reason of a refusal. */
  where: string;
  /** Whether the user can't use the command; `where` contains the reason. */
  isRefused: boolean;
  keys: string;
  icon: ReactNode;
  run: () => void;
}

function Palette() {
  const [text, setText] = useState('');
  // The id of the chosen row, because results that arrive later change the indexes; null: the first row.
  const [chosenId, setChosenId] = useState<string | null>(null);
  const found = useFoundCollections(text);
  const listId = useId();
  const choices = useMemo(() => choicesFor(text, found), [text, found]);
  const index = Math.max(
    choices.findIndex(({ id }) => id === chosenId),
    0,
  );
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [index]);

  const run = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    openPanel(null);
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && choices.length > 0) {
      event.preventDefault();
      setChosenId(choices[(index + step + choices.length) % choices.length]?.id ?? null);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(choices[index]);
    }
  };
  return (
    <>
      <input
        className={styles.paletteInput}
        role="combobox"
        aria-label={texts.palette.search}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 ? `${listId}-${index}` : undefined}
        placeholder={texts.palette.search}
        // biome-ignore lint/a11y/noAutofocus: a palette is opened to type into it
        autoFocus
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosenId(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={texts.palette.results}
        tabIndex={-1}
        className={styles.paletteList}
      >
        {choices.map((choice, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          <div
            key={choice.id}
            id={`${listId}-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === index}
            className={styles.option}
            {...(choice.isRefused ? { 'aria-disabled': true } : {})}
            onMouseMove={() => setChosenId(choice.id)}
            onClick={() => run(choice)}
          >
            {choice.icon}
            <span className={styles.optionName}>
              {choice.name}
              {choice.where === '' ? null : <span className={styles.where}>{choice.where}</span>}
            </span>
            <span className={styles.optionKeys}>{choice.keys}</span>
          </div>
        ))}
        {choices.length === 0 ? <div className={styles.noOption}>{texts.palette.nothing}</div> : null}
      </div>
    </>
  );
}

/** Returns the commands and collections that match a text; commands that can't be used come last. */
function choicesFor(text: string, found: readonly FoundCollection[]): Choice[] {
  const order = byBeginning(text);
  const commands = paletteCommands(modKey())
    .filter((command) => matches(command.label, text))
    .sort((one, other) => order(one.label, other.label))
    .map(
      (command): Choice => ({
        id: command.id,
        name: command.label,
        where: command.reason ?? '',
        isRefused: command.reason !== undefined,
        keys: command.keys,
        icon: <ChevronRight size={15} strokeWidth={1.75} aria-hidden />,
        run: command.run,
      }),
    );
  const collections = found.map(({ collection, path }): Choice => {
    const Icon = collection.isPodcast ? Podcast : Folder;
    return {
      id: `collection/${collection.id}`,
      name: collection.displayName,
      where: path.slice(0, -1).join(' › '),
      isRefused: false,
      keys: '',
      icon: <Icon size={15} strokeWidth={1.75} aria-hidden />,
      run: () => openCollection(collection.id),
    };
  });
  const choices = [...commands, ...collections];
  return [...choices.filter(({ isRefused }) => !isRefused), ...choices.filter(({ isRefused }) => isRefused)];
}

/** Returns the collections whose names contain the text; none for an empty text. */
function useFoundCollections(text: string): readonly FoundCollection[] {
  const siteId = useApp((state) => state.siteId);
  const [found, setFound] = useState<readonly FoundCollection[]>([]);
  const wanted = text.trim();
  useEffect(() => {
    if (siteId === null || wanted === '') {
      setFound([]);
      return;
    }
    return searchCollections({ siteId, text: wanted, limit: 20 }, setFound, showError);
  }, [siteId, wanted]);
  return found;
}
