import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, type PopoverProps } from 'react-aria-components';
import { classes } from './button.tsx';
import styles from './popover.module.css';

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  detail?: string;
  isChecked?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  onAction: () => void;
}

export interface MenuGroup {
  title?: string;
  entries: readonly MenuEntry[];
}

export interface ActionMenuProps {
  label: string;
  /** The button that opens the menu. */
  children: ReactNode;
  groups: readonly MenuGroup[];
  placement?: PopoverProps['placement'];
}

export function ActionMenu({ label, children, groups, placement = 'bottom start' }: ActionMenuProps) {
  return (
    <MenuTrigger>
      {children}
      <Popover className={styles.popover ?? ''} placement={placement} offset={4}>
        <Menu className={styles.list ?? ''} aria-label={label}>
          {groups.map((group, index) => (
            <MenuSection key={group.title ?? index} aria-label={group.title ?? label}>
              {index > 0 ? <Header className={styles.separator ?? ''} /> : null}
              {group.title === undefined || index > 0 ? null : (
                <Header className={styles.header ?? ''}>{group.title}</Header>
              )}
              {group.entries.map((entry) => (
                <MenuItem
                  key={entry.id}
                  id={entry.id}
                  textValue={entry.label}
                  isDisabled={entry.isDisabled ?? false}
                  onAction={entry.onAction}
                  className={classes(styles.item, entry.isDanger && styles.danger)}
                >
                  {entry.isChecked === undefined ? (
                    entry.icon
                  ) : (
                    <span className={styles.check}>{entry.isChecked ? <Check size={14} aria-hidden /> : null}</span>
                  )}
                  <span className={styles.grow}>{entry.label}</span>
                  {entry.detail === undefined ? null : <span className={styles.detail}>{entry.detail}</span>}
                </MenuItem>
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
