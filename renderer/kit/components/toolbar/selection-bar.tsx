import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../button.tsx';
import { OverflowToolbar, type ToolbarItem } from './overflow-toolbar.tsx';
import styles from './selection-bar.module.css';

interface SelectionBarProps {
  /** Names the bar and its toolbar. */
  label: string;
  /** The number of selected rows, such as `3 items selected`. */
  count: string;
  deselectLabel: string;
  items: readonly ToolbarItem[];
  onDeselect: () => void;
  /** Moves the focus to the list: after Escape, and when the bar disappears. */
  focusList: () => void;
}

/**
 * The selection of a list, and the commands for it. The list becomes shorter at its end, so that no row moves when the bar appears.
 * Its parent has to be positioned.
 */
export function SelectionBar({ label, count, deselectLabel, items, onDeselect, focusList }: SelectionBarProps) {
  const focus = useRef(focusList);
  focus.current = focusList;
  // When the bar disappears with the button that had the focus, the list gets the focus.
  useEffect(
    () => () => {
      const active = document.activeElement;
      if (active === document.body || active === null) focus.current();
    },
    [],
  );
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const parent = bar.current?.parentElement;
    // Not `:has` in a style: the browser would check it for each change of any element.
    parent?.setAttribute('data-selection-below', '');
    return () => parent?.removeAttribute('data-selection-below');
  }, []);
  const close = () => {
    onDeselect();
    focusList();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return (
    <section ref={bar} className={styles.bar} aria-label={label} data-selection-bar="" onKeyDown={onKeyDown}>
      <IconButton label={deselectLabel} keys="Esc" onPress={close}>
        <X size={15} />
      </IconButton>
      <span className={styles.count} role="status">
        {count}
      </span>
      <span className={styles.divider} aria-hidden />
      <OverflowToolbar label={label} items={items} />
    </section>
  );
}
