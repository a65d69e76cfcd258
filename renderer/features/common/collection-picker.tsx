import { ChevronDown, Folder, Podcast } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { untilCancelled } from '../../kit/async/latest-only.ts';
import { call } from '../../kit/bridge/bridge.ts';
import { classes } from '../../kit/components/button.tsx';
import { fieldStyles } from '../../kit/components/forms/field.tsx';
import { selectOnFocus, useEscapeReverts } from '../../kit/components/forms/focus-and-escape.ts';
import popoverStyles from '../../kit/components/overlay/popover.module.css';
import { type FoundCollection, searchCollections } from '../library/state/tree-store.ts';
import styles from './collection-picker.module.css';
import { showError } from './state/messages-store.ts';
import { texts } from './texts.ts';

interface CollectionPickerProps {
  label: string;
  siteId: string | null;
  value: string | null;
  onChange: (id: string | null, name: string) => void;
  error?: string | null;
  autoFocus?: boolean;
  /** False: the list opens with the first typed character or the button, so that it covers no other field before. */
  opensOnFocus?: boolean;
}

const SEARCH_DELAY_MS = 120;

/** Returns the found collections with the current choice first, unless it is among them. */
function withChosen(found: FoundCollection[], chosen: FoundCollection | null): FoundCollection[] {
  if (chosen === null || found.some(({ collection }) => collection.id === chosen.collection.id)) return found;
  return [chosen, ...found];
}

/** A field that chooses a collection by a part of its name. */
export function CollectionPicker(props: CollectionPickerProps) {
  const { label, siteId, value, onChange, error, autoFocus = false, opensOnFocus = true } = props;
  const [text, setText] = useState('');
  const [answer, setAnswer] = useState<{ text: string; found: FoundCollection[] | null } | null>(null);
  const [chosen, setChosen] = useState<FoundCollection | null>(null);
  /** Whether the user typed since the list was last closed. */
  const [isTyping, setIsTyping] = useState(false);
  const typing = useRef(false);
  const setTyping = (is: boolean) => {
    typing.current = is;
    setIsTyping(is);
  };

  // Loads the name of a collection that the caller chose.
  useEffect(() => {
    if (siteId === null || value === null || chosen?.collection.id === value) return;
    const show = (answer: FoundCollection) => {
      setChosen(answer);
      // Text that the user typed during the load stays.
      if (!typing.current) setText(answer.collection.displayName);
    };
    return untilCancelled(call('library.collection', { siteId, collectionId: value }), show, showError);
  }, [siteId, value, chosen]);

  const chosenName = chosen?.collection.displayName ?? '';
  // The name of the current choice filters the list only if the user typed it.
  const typed = text === chosenName && !isTyping ? '' : text;
  useEffect(() => {
    if (siteId === null) return;
    let cancel = () => {};
    const timer = window.setTimeout(() => {
      const show = (found: FoundCollection[]) => setAnswer({ text: typed, found });
      const fail = (thrown: unknown) => {
        setAnswer({ text: typed, found: null });
        showError(thrown);
      };
      cancel = searchCollections({ siteId, text: typed, limit: 50 }, show, fail);
    }, SEARCH_DELAY_MS);
    return () => {
      cancel();
      window.clearTimeout(timer);
    };
  }, [siteId, typed]);

  const found = answer?.found ?? [];
  const emptyText =
    answer?.text !== typed ? texts.searching : answer.found === null ? texts.notSearched : texts.noCollection;
  const keys = useEscapeReverts(isTyping || text !== chosenName, () => {
    setText(chosenName);
    setTyping(false);
  });
  const listed = text === '' || text === chosenName ? withChosen(found, chosen) : found;
  const items = listed.map((entry) => ({ ...entry, id: entry.collection.id }));
  return (
    <ComboBox
      className={fieldStyles.field ?? ''}
      items={items}
      inputValue={text}
      onInputChange={setText}
      value={value}
      onChange={(key) => {
        const next = listed.find((entry) => entry.collection.id === key) ?? null;
        if (next === null) return;
        setChosen(next);
        setText(next.collection.displayName);
        onChange(next.collection.id, next.collection.displayName);
      }}
      onOpenChange={(isOpen) => {
        if (!isOpen) setTyping(false);
      }}
      onBlur={() => {
        setText(chosenName);
        setTyping(false);
      }}
      menuTrigger={opensOnFocus ? 'focus' : 'input'}
      allowsEmptyCollection
      defaultFilter={() => true}
      isInvalid={error !== null && error !== undefined}
      validationBehavior="aria"
    >
      <Label className={fieldStyles.label ?? ''}>{label}</Label>
      <div className={styles.box} onInput={() => setTyping(true)} {...keys}>
        <Input
          className={classes(fieldStyles.input, styles.input)}
          placeholder={texts.collectionHint}
          autoFocus={autoFocus}
          onFocus={selectOnFocus}
        />
        <Button className={styles.open ?? ''} aria-label={texts.showCollections}>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      {chosen !== null && chosen.path.length > 1 && text === chosen.collection.displayName ? (
        <span className={fieldStyles.hint}>{chosen.path.join(' › ')}</span>
      ) : null}
      <FieldError className={fieldStyles.error ?? ''}>{error}</FieldError>
      <Popover className={popoverStyles.popover ?? ''} offset={4}>
        <ListBox<(typeof items)[number]>
          className={popoverStyles.list ?? ''}
          renderEmptyState={() => <div className={popoverStyles.empty}>{emptyText}</div>}
        >
          {({ collection, path }) => (
            <ListBoxItem id={collection.id} textValue={collection.displayName} className={popoverStyles.item ?? ''}>
              {collection.isPodcast ? <Podcast size={14} aria-hidden /> : <Folder size={14} aria-hidden />}
              <span className={popoverStyles.grow}>
                {collection.displayName} <span className={popoverStyles.detail}>{path.slice(0, -1).join(' › ')}</span>
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
