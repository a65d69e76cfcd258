import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import styles from './button.module.css';

type ButtonVariant = 'plain' | 'primary' | 'danger' | 'quiet' | 'link';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  variant?: ButtonVariant;
  large?: boolean;
  /** Its command is running: a press has no effect. The button keeps the focus, which a disabled button would lose. */
  isBusy?: boolean;
  /** Why the user can't use the command, shown as a tooltip. The button can still be reached; a press shows the reason. */
  reason?: string;
  icon?: ReactNode;
  children: ReactNode;
}

export function Button(props: ButtonProps) {
  const { variant = 'plain', large = false, isBusy = false, reason, icon, children, ...rest } = props;
  const button = (
    <AriaButton
      {...rest}
      {...(isBusy ? { 'aria-disabled': true, onPress: () => undefined } : {})}
      {...(reason === undefined ? {} : { 'aria-disabled': true })}
      className={classes(
        styles.button,
        variantClass(variant),
        large && styles.large,
        (isBusy || reason !== undefined) && styles.busy,
      )}
    >
      {icon}
      {children}
    </AriaButton>
  );
  if (reason === undefined) return button;
  return (
    <TooltipTrigger delay={300} closeDelay={0}>
      {button}
      <Tooltip className={tooltipStyle} offset={6}>
        {reason}
      </Tooltip>
    </TooltipTrigger>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'aria-label'> {
  label: string;
  /** The shortcut, shown beside the label. */
  keys?: string;
  variant?: ButtonVariant;
  small?: boolean;
  /** As for `Button`: a press has no effect, and the focus stays. */
  isBusy?: boolean;
  children: ReactNode;
}

/** A button with an icon only. Its label is read by screen readers and shown as a tooltip. */
export function IconButton(props: IconButtonProps) {
  const { label, keys, variant = 'quiet', small = false, isBusy = false, children, ...rest } = props;
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton
        {...rest}
        {...(isBusy ? { 'aria-disabled': true, onPress: () => undefined } : {})}
        aria-label={label}
        className={classes(
          styles.button,
          variantClass(variant),
          styles.icon,
          small && styles.small,
          isBusy && styles.busy,
        )}
      >
        {children}
      </AriaButton>
      <Tooltip className={tooltipStyle} offset={6}>
        {label}
        {keys === undefined ? null : <span className={styles.keys}>{keys}</span>}
      </Tooltip>
    </TooltipTrigger>
  );
}

/** The class of a tooltip, for the few elements with a trigger of their own. */
export const tooltipStyle = styles.tooltip ?? '';

function variantClass(variant: ButtonVariant): string | undefined {
  return variant === 'plain' ? undefined : styles[variant];
}

/** Joins class names, except undefined and false ones. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
