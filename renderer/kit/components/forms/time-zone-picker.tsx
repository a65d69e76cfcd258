import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { classes } from '../button.tsx';
import popoverStyles from '../overlay/popover.module.css';
import { texts } from '../texts.ts';
import styles from './combo.module.css';
import { fieldStyles } from './field.tsx';
import { selectOnFocus, useEscapeReverts } from './focus-and-escape.ts';

/** The names of all time zones that this computer knows, and `UTC`. */
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => ({
  id,
  /** `America/New_York` is found by “new york” too. */
  searched: `${id} ${id.replaceAll(/[/_]/g, ' ')}`.toLowerCase(),
}));
/** The most zones that the list shows; a longer search text finds the others. */
const MOST_SHOWN = 100;

interface TimeZonePickerProps {
  value: string;
  onChange: (timeZone: string) => void;
}

/** Chooses a time zone by a part of its name. */
export function TimeZonePicker({ value, onChange }: TimeZonePickerProps) {
  /** null: the user has not typed since the last choice. */
  const [typed, setTyped] = useState<string | null>(null);
  const words = (typed ?? '').toLowerCase().split(/\s+/);
  const found = ZONES.filter(({ searched }) => words.every((word) => searched.includes(word)));
  const keys = useEscapeReverts(typed !== null, () => setTyped(null));
  return (
    <ComboBox
      className={fieldStyles.field ?? ''}
      items={shownOf(found, value)}
      inputValue={typed ?? value}
      // Also called when the list closes, for example because a message moves the field: the typed text then stays.
      onInputChange={(text) => setTyped((before) => (text === value ? before : text))}
      value={value}
      onChange={(key) => {
        setTyped(null);
        if (key !== null && key !== value) onChange(String(key));
      }}
      onBlur={() => setTyped(null)}
      menuTrigger="focus"
      allowsEmptyCollection
      defaultFilter={() => true}
    >
      <Label className={fieldStyles.label ?? ''}>{texts.forms.time.zone}</Label>
      <div className={styles.combo} {...keys}>
        <Input className={classes(fieldStyles.input, styles.input)} onFocus={selectOnFocus} />
        <Button className={styles.open ?? ''} aria-label={texts.forms.time.showZones}>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <Popover className={popoverStyles.popover ?? ''} offset={4}>
        <ListBox<(typeof ZONES)[number]>
          className={popoverStyles.list ?? ''}
          renderEmptyState={() => <div className={popoverStyles.empty}>{texts.forms.time.noZone}</div>}
        >
          {({ id }) => (
            <ListBoxItem id={id} textValue={id} className={popoverStyles.item ?? ''}>
              <span className={popoverStyles.grow}>{id.replaceAll('_', ' ')}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Returns the first zones, and always the chosen one when it is among them: the field reads its text from this list. */
function shownOf(found: typeof ZONES, value: string): typeof ZONES {
  const first = found.slice(0, MOST_SHOWN);
  const chosen = found.findIndex(({ id }) => id === value);
  return chosen < MOST_SHOWN ? first : [...first, ...found.slice(chosen, chosen + 1)];
}
