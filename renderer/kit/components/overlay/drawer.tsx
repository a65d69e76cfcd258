import type { ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { classes } from '../button.tsx';
import styles from './drawer.module.css';

interface DrawerProps {
  label: string;
  /** The edge of the window at which it is. */
  side: 'left' | 'right';
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A pane above the view, for a window that has no room for it beside the view. It keeps the focus; Escape or a click beside it
 * closes it and returns the focus. The shortcuts of the window keep working.
 */
export function Drawer({ label, side, isOpen, onClose, children }: DrawerProps) {
  return (
    <ModalOverlay
      className={styles.veil ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={classes(styles.drawer, styles[side])}>
        <Dialog className={styles.contents ?? ''} aria-label={label} data-drawer>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
