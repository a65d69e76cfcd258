import { Ellipsis } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components';
import { Button, classes, IconButton } from '../button.tsx';
import { type Option, Select } from '../forms/select.tsx';
import { ActionMenu, type MenuEntry, type MenuGroup } from '../overlay/menu.tsx';
import { texts } from '../texts.ts';
import { fittingCount } from './fitting-count.ts';
import styles from './overflow-toolbar.module.css';

const GAP = 6;
const MENU_WIDTH = 28;

export interface ToolbarItem {
  id: string;
  /** The element in the toolbar while the item has room. */
  element: ReactNode;
  /** The same commands in the ⋯ menu, for an item without room. */
  menu: readonly MenuGroup[];
}

interface OverflowToolbarProps {
  /** Names the toolbar for screen readers, and its menu: `More: <label>`. */
  label: string;
  /** The first item is the most important one: the last items move into the menu first. */
  items: readonly ToolbarItem[];
  /** The side of the toolbar at which the items are. */
  align?: 'start' | 'end';
}

/**
 * A toolbar in one line. Items without room move into a ⋯ menu at its end; nothing is truncated. It takes the width that its flex
 * container leaves (`flex: 1 1 0`), so its own items never change its width. Tab enters it once; arrow keys move inside. Create
 * items with `commandItem` (a button), `selectItem` (a choice), or by hand from any element and menu groups with the same
 * commands.
 */
export function OverflowToolbar({ label, items, align = 'start' }: OverflowToolbarProps) {
  const box = useRef<HTMLDivElement>(null);
  const [fitting, setFitting] = useState(items.length);
  const isMoreFocused = useRef(false);
  const ids = items.map((item) => item.id).join('/');
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items are measured anew
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const widths = partsOf(element).map((part) => Math.ceil(part.getBoundingClientRect().width));
      isMoreFocused.current = element.querySelector('[data-more]')?.contains(document.activeElement) ?? false;
      setFitting(fittingCount(widths, element.clientWidth, GAP, MENU_WIDTH));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const part of partsOf(element)) observer.observe(part);
    measure();
    return () => observer.disconnect();
  }, [ids]);

  const count = Math.min(fitting, items.length);
  // Moves the focus on when a focused control moves into the menu, or a focused menu is not needed any more.
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const parts = partsOf(element);
    const isHidden = parts.slice(count).some((part) => part.contains(document.activeElement));
    if (isHidden) element.querySelector<HTMLElement>('[data-more] button')?.focus();
    else if (isMoreFocused.current && count === parts.length) parts.at(-1)?.querySelector('button')?.focus();
  }, [count]);

  const rest = dangerLast(items.slice(count).flatMap((item) => item.menu));
  return (
    <Toolbar
      ref={box}
      aria-label={label}
      className={classes(styles.toolbar, align === 'end' && styles.end)}
      style={{ gap: GAP }}
    >
      {items.map((item, index) => (
        <div key={item.id} className={styles.item} data-item={item.id} inert={index >= count}>
          {item.element}
        </div>
      ))}
      {rest.length === 0 ? null : (
        <div className={styles.item} data-more>
          <ActionMenu label={texts.toolbar.more(label)} groups={merged(rest)} placement="bottom end">
            <IconButton label={texts.toolbar.more(label)}>
              <Ellipsis size={16} />
            </IconButton>
          </ActionMenu>
        </div>
      )}
    </Toolbar>
  );
}

function partsOf(toolbar: HTMLElement): HTMLElement[] {
  return [...toolbar.querySelectorAll<HTMLElement>(':scope > [data-item]')];
}

/** Moves commands that can't be undone to the end, away from the others; they may be among the most important ones of a toolbar. */
function dangerLast(groups: readonly MenuGroup[]): MenuGroup[] {
  const isDanger = (group: MenuGroup) => group.entries.every((entry) => entry.isDanger === true);
  return [...groups.filter((group) => !isDanger(group)), ...groups.filter(isDanger)];
}

/** Joins neighboring groups without a title, so that single commands are not separated by lines. */
function merged(groups: readonly MenuGroup[]): MenuGroup[] {
  const result: MenuGroup[] = [];
  for (const group of groups) {
    const last = result.at(-1);
    if (last !== undefined && last.title === undefined && group.title === undefined) {
      result[result.length - 1] = { entries: [...last.entries, ...group.entries] };
    } else result.push(group);
  }
  return result;
}

interface CommandItemOptions {
  variant?: 'plain' | 'primary' | 'quiet';
  /** Shows the icon only; the label is a tooltip. */
  iconOnly?: boolean;
}

/** A toolbar item that is a button. */
export function commandItem(
  entry: MenuEntry,
  { variant = 'quiet', iconOnly = false }: CommandItemOptions = {},
): ToolbarItem {
  const { id, label, icon, isDisabled = false, reason, onAction } = entry;
  const element = iconOnly ? (
    <IconButton label={label} variant={variant} isDisabled={isDisabled} onPress={onAction}>
      {icon}
    </IconButton>
  ) : (
    <Button
      variant={variant}
      icon={icon}
      isDisabled={isDisabled}
      {...(reason === undefined ? {} : { reason })}
      onPress={onAction}
    >
      {label}
    </Button>
  );
  return { id, element, menu: [{ entries: [entry] }] };
}

interface SelectItemOptions<T extends string> {
  id: string;
  label: string;
  value: T;
  /** The value that is not highlighted. */
  restValue?: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}

/** A toolbar item that is a choice; in the menu it is a group of options with its label as title. */
export function selectToolbarItem<T extends string>({ id, ...select }: SelectItemOptions<T>): ToolbarItem {
  const { label, value, options, onChange } = select;
  return {
    id,
    element: <Select flat {...select} />,
    menu: [
      {
        title: label,
        entries: options.map((option) => ({
          id: `${id}/${option.value}`,
          label: option.label,
          isChecked: option.value === value,
          onAction: () => onChange(option.value),
        })),
      },
    ],
  };
}
