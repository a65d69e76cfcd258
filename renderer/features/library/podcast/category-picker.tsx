import { ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { CATEGORY_ENTRIES, categoryText, readCategory } from '../../../../shared/model/podcast-categories.ts';
import { classes, IconButton } from '../../../kit/components/button.tsx';
import comboStyles from '../../../kit/components/forms/combo.module.css';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import { selectOnFocus, useEscapeReverts } from '../../../kit/components/forms/focus-and-escape.ts';
import popoverStyles from '../../../kit/components/overlay/popover.module.css';
import { texts } from '../collections/texts.ts';
import styles from './podcast.module.css';

interface CategoryPickerProps {
  value: string;
  /** The stored value: a new value is written in the same form. */
  opened: string;
  onChange: (value: string) => void;
}

const ENTRIES = CATEGORY_ENTRIES.map(({ category, subcategory }) => ({
  id: subcategory === null ? category : `${category}: ${subcategory}`,
  category,
  subcategory,
}));

/** Returns the label of a stored value. A value that is not one of the known categories is shown as `Value (other)`. */
function labelOf(value: string): string {
  if (value === '') return '';
  const entry = readCategory(value);
  if (entry === null) return texts.podcast.otherCategory(value);
  return entry.subcategory === null ? entry.category : `${entry.category}: ${entry.subcategory}`;
}

/** Chooses one of the categories of podcast directories by a part of its name. */
export function CategoryPicker({ value, opened, onChange }: CategoryPickerProps) {
  const label = labelOf(value);
  /** The typed text; null: the user typed nothing since the last choice. */
  const [typed, setTyped] = useState<string | null>(null);
  const words = (typed ?? '').toLowerCase().split(/\s+/);
  // The value of another directory is offered unchanged, so that it stays when the user chooses nothing else.
  const isOther = label !== '' && !ENTRIES.some(({ id }) => id === label);
  const all = isOther ? [{ id: label, category: label, subcategory: null }, ...ENTRIES] : ENTRIES;
  const items = all.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  const keys = useEscapeReverts(typed !== null, () => setTyped(null));
  return (
    <div className={styles.withButton}>
      <ComboBox
        className={classes(fieldStyles.field, styles.grow)}
        items={items}
        inputValue={typed ?? label}
        // The combo box sets the label when it opens and closes. A user who types it again still searches for it: without the
        // search, the first of all entries would be chosen.
        onInputChange={(text) => setTyped(text === label && typed === null ? null : text)}
        onOpenChange={(isOpen) => {
          if (!isOpen && typed === label) setTyped(null);
        }}
        value={label === '' ? null : label}
        onChange={(key) => {
          const entry = ENTRIES.find(({ id }) => id === key);
          setTyped(null);
          if (entry !== undefined && key !== label) onChange(categoryText(entry, opened));
        }}
        onBlur={() => setTyped(null)}
        menuTrigger="focus"
        allowsEmptyCollection
        defaultFilter={() => true}
      >
        <Label className={fieldStyles.label ?? ''}>{texts.podcast.fields.directory_category}</Label>
        <div className={comboStyles.combo} {...keys}>
          <Input
            className={classes(fieldStyles.input, comboStyles.input)}
            placeholder={texts.podcast.none}
            onFocus={selectOnFocus}
          />
          <Button className={comboStyles.open ?? ''} aria-label={texts.podcast.showCategories}>
            <ChevronDown size={14} aria-hidden />
          </Button>
        </div>
        <Text slot="description" className={fieldStyles.hint ?? ''}>
          {texts.podcast.hints.directory_category}
        </Text>
        <Popover className={popoverStyles.popover ?? ''} offset={4}>
          <ListBox<(typeof items)[number]>
            className={popoverStyles.list ?? ''}
            renderEmptyState={() => <div className={popoverStyles.empty}>{texts.podcast.noCategory}</div>}
          >
            {(entry) => (
              <ListBoxItem id={entry.id} textValue={entry.id} className={popoverStyles.item ?? ''}>
                <span className={classes(popoverStyles.grow, entry.subcategory !== null && styles.subcategory)}>
                  {entry.subcategory ?? entry.category}
                </span>
                {entry.subcategory === null ? null : <span className={popoverStyles.detail}>{entry.category}</span>}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      {value === '' ? null : (
        <IconButton label={texts.podcast.clearCategory} onPress={() => onChange('')}>
          <X size={14} />
        </IconButton>
      )}
    </div>
  );
}
