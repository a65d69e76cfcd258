import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { classes } from '../button.tsx';
import popoverStyles from '../overlay/popover.module.css';
import styles from './combo.module.css';
import { fieldStyles } from './field.tsx';
import { texts } from './texts.ts';

/** The names of all time zones that this computer knows, and `UTC`. */
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => ({
  id,
  /** `America/New_York` is found by “new york” too. */
  searched: `${id} ${id.replaceAll(/[/_]/g, ' ')}`.toLowerCase(),
}));
/** More are found by typing. */
const MOST_SHOWN = 100;

interface TimeZonePickerProps {
  value: string;
  onChange: (timeZone: string) => void;
}

/** Chooses a time zone by a part of its name. */
export function TimeZonePicker({ value, onChange }: TimeZonePickerProps) {
  /** null: nothing was typed since the last choice. */
  const [typed, setTyped] = useState<string | null>(null);
  const words = (typed ?? '').toLowerCase().split(/\s+/);
  const found = ZONES.filter(({ searched }) => words.every((word) => searched.includes(word)));
  return (
    <ComboBox
      className={fieldStyles.field ?? ''}
      items={found.slice(0, MOST_SHOWN)}
      inputValue={typed ?? value}
      // Also called when the list closes, for example because a message moves the field: what was typed stays then.
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
      <Label className={fieldStyles.label ?? ''}>{texts.time.zone}</Label>
      <div className={styles.combo}>
        <Input
          className={classes(fieldStyles.input, styles.input)}
          onFocus={(event) => event.target.select()}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(null);
          }}
        />
        <Button className={styles.open ?? ''} aria-label={texts.time.showZones}>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <Popover className={popoverStyles.popover ?? ''} offset={4}>
        <ListBox<(typeof ZONES)[number]>
          className={popoverStyles.list ?? ''}
          renderEmptyState={() => <div className={popoverStyles.empty}>{texts.time.noZone}</div>}
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
