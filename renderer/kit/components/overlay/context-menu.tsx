import { useRef } from 'react';
import { Popover } from 'react-aria-components';
import { AT_POINT, MenuContents, type MenuGroup } from './menu.tsx';
import styles from './popover.module.css';

interface ContextMenuProps {
  label: string;
  /** Pixels of the window. */
  x: number;
  y: number;
  groups: readonly MenuGroup[];
  onClose: () => void;
}

/** A menu at a point of the window. It returns the focus to the element that had it. */
export function ContextMenu({ label, x, y, groups, onClose }: ContextMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} aria-hidden style={{ position: 'fixed', left: x, top: y, width: 0, height: 0 }} />
      <Popover
        className={styles.popover ?? ''}
        aria-label={label}
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        placement={AT_POINT}
        offset={0}
      >
        <MenuContents label={label} groups={groups} onClose={onClose} />
      </Popover>
    </>
  );
}
