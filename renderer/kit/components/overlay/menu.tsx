import { Check } from 'lucide-react';
import { Fragment, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import {
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  type PopoverProps,
  Separator,
  Text,
} from 'react-aria-components';
import { createPortal } from 'react-dom';
import { classes } from '../button.tsx';
import { Glyph } from '../glyph.tsx';
import { texts } from '../texts.ts';
import styles from './popover.module.css';

interface Point {
  x: number;
  y: number;
}

let pending: Point | null = null;

/** Opens the menu of a row by its button, at the position of the mouse in the window. null: beside the button. */
export function openRowMenuAt(trigger: HTMLElement, point: Point | null): void {
  pending = point;
  // `trigger.click()` has the detail 0, which React Aria interprets as a screen reader: it would focus the menu only after a
  // frame, and a key pressed before that would be lost.
  trigger.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
  pending = null;
}

/** Returns the point for the menu that is being opened; null: beside its button. */
function rowMenuPoint(): Point | null {
  return pending;
}

export interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  detail?: string;
  isChecked?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Why the user can't use the command. It can still be reached, so that the reason can be read; `onAction` shows it. */
  reason?: string;
  onAction: () => void;
}

export interface MenuGroup {
  title?: string;
  /** Several entries can be checked; the menu stays open. */
  isMultiple?: boolean;
  entries: readonly MenuEntry[];
}

interface ActionMenuProps {
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
        <MenuContents label={label} groups={groups} />
      </Popover>
    </MenuTrigger>
  );
}

interface RowMenuProps {
  label: string;
  /** Identifies the row. The menu closes when the same element shows another row. */
  rowId?: string;
  /** Called when the menu is drawn. */
  groups: () => readonly MenuGroup[];
  onOpen?: () => void;
}

/** The placement of a menu at a point. With too little room below the point it moves up, so that all its entries are shown. */
export const AT_POINT = 'right top';

const MORE = <Glyph name="more" size={15} />;

/** The menu of a row in a long list. Until it is opened it is a plain button, so that rows render fast. */
export function RowMenu({ label, rowId = '', groups, onOpen }: RowMenuProps) {
  const [openFor, setOpenFor] = useState<string | null>(null);
  const isOpen = openFor === rowId;
  if (openFor !== null && !isOpen) setOpenFor(null);
  const setOpen = (open: boolean) => setOpenFor(open ? rowId : null);
  const [point, setPoint] = useState<{ x: number; y: number } | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const pointAnchor = useRef<HTMLSpanElement>(null);
  const opener = useRef<Element | null>(null);
  // Returns the focus as soon as the menu closes, so that a dialog that the menu opens returns it to the same element later. The
  // row may have been removed by then; its list is not.
  useEffect(() => {
    if (!isOpen && opener.current !== null && document.activeElement === document.body) focusAgain(opener.current);
    if (!isOpen) opener.current = null;
  }, [isOpen]);
  const open = () => {
    const active = document.activeElement;
    opener.current = active === document.body ? trigger.current : active;
    setPoint(rowMenuPoint());
    setOpen(true);
    onOpen?.();
  };
  return (
    <>
      <RowButton label={label} buttonRef={trigger} onClick={open} opensMenu isOpen={isOpen}>
        {MORE}
      </RowButton>
      {isOpen && point !== null
        ? createPortal(
            <span ref={pointAnchor} className={styles.point} style={{ left: point.x, top: point.y }} />,
            document.body,
          )
        : null}
      {isOpen ? (
        <Popover
          className={styles.popover ?? ''}
          aria-label={label}
          triggerRef={point === null ? trigger : pointAnchor}
          isOpen
          onOpenChange={setOpen}
          placement={point === null ? 'bottom end' : AT_POINT}
          offset={point === null ? 4 : 0}
        >
          <MenuContents label={label} groups={groups()} onClose={() => setOpen(false)} />
        </Popover>
      ) : null}
    </>
  );
}

function focusAgain(place: Element): void {
  if (place instanceof HTMLElement) place.focus({ preventScroll: true });
}

interface RowButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
  buttonRef?: Ref<HTMLButtonElement>;
  opensMenu?: boolean;
  isOpen?: boolean;
}

/** An icon button of a row. */
export function RowButton({ label, onClick, children, buttonRef, opensMenu = false, isOpen = false }: RowButtonProps) {
  return (
    <button
      ref={buttonRef}
      type="button"
      // The list is one stop of the Tab key; the arrow keys reach its buttons.
      tabIndex={-1}
      className={styles.rowButton}
      title={label}
      aria-label={label}
      {...(opensMenu ? { 'aria-haspopup': 'menu' as const, 'aria-expanded': isOpen } : {})}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

interface MenuContentsProps {
  label: string;
  groups: readonly MenuGroup[];
  /**
   * For a menu without a trigger of the component library: it focuses its first entry itself, so that arrow keys work
   * immediately.
   */
  onClose?: () => void;
}

/** The entries of a menu, for a popover. */
export function MenuContents({ label, groups, onClose }: MenuContentsProps) {
  return (
    <Menu
      className={styles.list ?? ''}
      aria-label={label}
      // Without a trigger of React Aria, no other code gives it the focus.
      {...(onClose ? { onClose, autoFocus: 'first' as const } : {})}
    >
      {groups.map((group, index) => (
        <Fragment key={group.title ?? index}>
          {index > 0 ? <Separator className={styles.separator ?? ''} /> : null}
          <MenuSection aria-label={group.title ?? label} {...selectionOf(group)}>
            {group.title === undefined ? null : <Header className={styles.header ?? ''}>{group.title}</Header>}
            {group.entries.map((entry) => (
              <MenuItem
                key={entry.id}
                id={entry.id}
                textValue={entry.label}
                isDisabled={entry.isDisabled ?? false}
                onAction={entry.onAction}
                className={classes(
                  styles.item,
                  entry.isDanger && styles.danger,
                  entry.reason !== undefined && styles.refused,
                )}
              >
                {entry.isChecked === undefined ? (
                  entry.icon
                ) : (
                  <span className={styles.check}>{entry.isChecked ? <Check size={14} aria-hidden /> : null}</span>
                )}
                <EntryText entry={entry} isMultiple={group.isMultiple === true} />
                {entry.detail === undefined ? null : <span className={styles.detail}>{entry.detail}</span>}
              </MenuItem>
            ))}
          </MenuSection>
        </Fragment>
      ))}
    </Menu>
  );
}

function EntryText({ entry, isMultiple }: { entry: MenuEntry; isMultiple: boolean }) {
  return (
    <span className={styles.grow}>
      {entry.label}
      {entry.isChecked && !isMultiple ? <span className="visually-hidden">{texts.overlay.chosen}</span> : null}
      {entry.reason === undefined ? null : (
        <Text slot="description" className={styles.reason ?? ''}>
          {entry.reason}
        </Text>
      )}
    </span>
  );
}

/** Checked entries of a group with several are reported as such to screen readers. */
function selectionOf({ isMultiple = false, entries }: MenuGroup) {
  if (!isMultiple) return {};
  const checked = entries.filter(({ isChecked }) => isChecked).map(({ id }) => id);
  return { selectionMode: 'multiple' as const, selectedKeys: checked };
}
