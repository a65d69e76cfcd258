import { ChevronRight, Folder, Podcast, ReceiptText, Settings } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import type { MediaRow } from '../../../shared/contract/library.ts';
import { openCollection, openItem } from '../../features/common/commands/commands.ts';
import { openPanel, showSettings, showView, useApp } from '../../features/common/state/app-store.ts';
import type { FoundCollection } from '../../features/library/state/tree-store.ts';
import { openReceipt, type ReceiptHit } from '../../features/receipts/state/receipts-store.ts';
import { SETTING_NAMES } from '../../features/settings/setting-names.ts';
import { modKey } from '../../kit/bridge/bridge.ts';
import { TypeIcon } from '../../kit/components/type-icon.tsx';
import { formatDateTime } from '../../kit/text/format.ts';
import { paletteCommands } from '../commands/command-table.ts';
import { texts } from '../texts.ts';
import styles from './dialogs.module.css';
import { byBeginning, matches } from './matches.ts';
import { type Finds, useFinds } from './palette-finds.ts';

const ICON = { size: 15, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Finds commands, settings, collections, items and uploaded files by name. */
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
  /** A command or a setting, not something of the library. */
  isOwn?: true;
  /** Whether the user can't use the command; `where` contains the reason. */
  isRefused: boolean;
  keys: string;
  icon: ReactNode;
  run: () => void;
}

interface Group {
  name: string;
  choices: readonly Choice[];
}

function Palette() {
  const [text, setText] = useState('');
  // The id of the chosen row, because results that arrive later change the indexes; null: the first row.
  const [chosenId, setChosenId] = useState<string | null>(null);
  const finds = useFinds(text);
  const listId = useId();
  const groups = useMemo(() => groupsFor(text, finds), [text, finds]);
  const choices = groups.flatMap((group) => group.choices);
  const index = Math.max(
    choices.findIndex(({ id }) => id === chosenId),
    0,
  );
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = list.current?.querySelectorAll('[role="option"]')[index];
    // The heading of the first group stays visible.
    (index === 0 ? list.current?.firstElementChild : row)?.scrollIntoView({ block: 'nearest' });
  }, [index]);

  const isSearched = finds.text === text.trim();
  /** Enter was pressed before everything was found: the first choice runs when it is known. */
  const [isAwaited, setAwaited] = useState(false);
  const first = choices[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choice runs once, when the search has ended
  useEffect(() => {
    if (isAwaited && isSearched) run(first);
  }, [isAwaited, isSearched]);

  const run = (choice: Choice | undefined) => {
    setAwaited(false);
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
      // Commands and settings are compared with the present text, everything else perhaps with an earlier one.
      const isSure = chosenId !== null || isSearched || first?.isOwn === true;
      if (isSure) run(choices[index]);
      else setAwaited(true);
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
          setAwaited(false);
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
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box
          <div key={group.name} role="group" aria-label={group.name}>
            {text.trim() === '' ? null : (
              <div className={styles.optionGroup} aria-hidden>
                {group.name}
              </div>
            )}
            {group.choices.map((choice) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
              <div
                key={choice.id}
                id={`${listId}-${choices.indexOf(choice)}`}
                role="option"
                tabIndex={-1}
                aria-selected={choice === choices[index]}
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
          </div>
        ))}
        {choices.length === 0 ? <div className={styles.noOption}>{texts.palette.nothing}</div> : null}
      </div>
    </>
  );
}

/** Returns what matches a text, in groups; commands that can't be used come last. Without a text, these are all commands. */
function groupsFor(text: string, { collections, items, receipts }: Finds): Group[] {
  const { groups } = texts.palette;
  const commands = commandChoices(text);
  return [
    { name: groups.commands, choices: commands.filter(({ isRefused }) => !isRefused) },
    { name: groups.settings, choices: text.trim() === '' ? [] : settingChoices(text) },
    { name: groups.collections, choices: collections.map(collectionChoice) },
    { name: groups.items, choices: items.map(itemChoice) },
    { name: groups.receipts, choices: receipts.map(receiptChoice) },
    { name: groups.refused, choices: commands.filter(({ isRefused }) => isRefused) },
  ].filter(({ choices }) => choices.length > 0);
}

function commandChoices(text: string): Choice[] {
  const order = byBeginning(text);
  return paletteCommands(modKey())
    .filter((command) => matches(command.label, text))
    .sort((one, other) => order(one.label, other.label))
    .map((command) => ({
      id: command.id,
      isOwn: true as const,
      name: command.label,
      where: command.reason ?? '',
      isRefused: command.reason !== undefined,
      keys: command.keys,
      icon: <ChevronRight {...ICON} />,
      run: command.run,
    }));
}

function settingChoices(text: string): Choice[] {
  return SETTING_NAMES.filter(({ name }) => matches(name, text)).map(({ name, section, sectionName }) => ({
    id: `setting/${section}/${name}`,
    name,
    where: name === sectionName ? '' : sectionName,
    isRefused: false,
    keys: '',
    isOwn: true as const,
    icon: <Settings {...ICON} />,
    run: () => showSettings(section),
  }));
}

function collectionChoice({ collection, path }: FoundCollection): Choice {
  const Icon = collection.isPodcast ? Podcast : Folder;
  return {
    id: `collection/${collection.id}`,
    name: collection.displayName,
    where: path.slice(0, -1).join(' › '),
    isRefused: false,
    keys: '',
    icon: <Icon {...ICON} />,
    run: () => openCollection(collection.id),
  };
}

function itemChoice({ id, title, type, collectionId, collectionName }: MediaRow): Choice {
  return {
    id: `item/${id}`,
    name: title,
    where: collectionName ?? '',
    isRefused: false,
    keys: '',
    icon: <TypeIcon type={type} />,
    run: () => {
      const { siteId } = useApp.getState();
      if (siteId !== null) openItem({ siteId, collectionId, mediaId: id });
    },
  };
}

function receiptChoice({ batchId, collectionName, line }: ReceiptHit): Choice {
  return {
    id: `receipt/${line.uploadId}`,
    name: line.fileName,
    isRefused: false,
    keys: '',
    where: texts.palette.uploaded(collectionName, formatDateTime(line.addedAt)),
    icon: <ReceiptText {...ICON} />,
    run: () => {
      showView('receipts');
      openReceipt(batchId);
    },
  };
}
