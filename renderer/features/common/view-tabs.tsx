import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { classes } from '../../kit/components/button.tsx';
import { formatCount } from '../../kit/text/format.ts';
import styles from './view-tabs.module.css';

interface ViewTab<T extends string> {
  id: T;
  label: string;
  /** null: the tab shows none. */
  count: number | null;
  /** How a count above zero is marked. */
  tone?: 'bad' | 'wait' | undefined;
}

interface ViewTabsProps<T extends string> {
  label: string;
  tabs: readonly ViewTab<T>[];
  selected: T;
  onSelect: (id: T) => void;
  className?: string | undefined;
}

/** Tabs that choose which kind of rows a view lists, each with its count. */
export function ViewTabs<T extends string>({ label, tabs, selected, onSelect, className }: ViewTabsProps<T>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={([id]) => onSelect(id as T)}
      className={classes(styles.tabs, className)}
    >
      {tabs.map(({ id, label: name, count, tone }) => (
        <ToggleButton key={id} id={id} className={styles.tab ?? ''}>
          {/* With a blank, so that its name for screen readers has one before the count. */}
          {`${name} `}
          {count === null ? null : (
            <span className={styles.count} data-tone={count > 0 ? tone : undefined}>
              {formatCount(count)}
            </span>
          )}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
