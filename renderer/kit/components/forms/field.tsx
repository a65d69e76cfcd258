import { Search, X } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import {
  SearchField as AriaSearchField,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Button,
  FieldError,
  Input,
  type KeyboardEvent,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import { classes } from '../button.tsx';
import { texts } from '../texts.ts';
import styles from './field.module.css';

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  label: string;
  hint?: ReactNode;
  error?: { message: string; nextStep?: string | null } | null;
  placeholder?: string;
  rows?: number;
  large?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** A labeled text field, with several lines when `rows` is set. Its error is shown below with the next step. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, placeholder, rows, large = false, inputRef, ...rest } = props;
  return (
    <AriaTextField
      {...rest}
      isInvalid={error !== null && error !== undefined}
      validationBehavior="aria"
      className={classes(styles.field, large && styles.large)}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      {rows === undefined ? (
        <Input className={styles.input ?? ''} placeholder={placeholder} ref={inputRef} />
      ) : (
        <TextArea className={classes(styles.input, styles.area)} placeholder={placeholder} rows={rows} />
      )}
      {hint !== undefined && !error ? (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      ) : null}
      <FieldError className={styles.error ?? ''}>
        <span>{error?.message}</span>
        {error?.nextStep ? <span className={styles.next}>{error.nextStep}</span> : null}
      </FieldError>
    </AriaTextField>
  );
}

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Handles a key, and returns whether it did: other keys, such as shortcuts of the window, work as usual. */
  onKeyDown?: (key: string) => boolean;
  inputRef?: Ref<HTMLInputElement>;
  maxLength?: number;
  /** The id of an element with a text about the field, such as a problem. */
  describedBy?: string;
  /** Further attributes of the field, such as those of `useFieldOptions`. */
  inputProps?: Record<string, string | boolean | undefined>;
}

export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, onKeyDown, inputRef, maxLength, describedBy, inputProps } = props;
  return (
    <AriaSearchField
      aria-label={label}
      value={value}
      onChange={onChange}
      className={styles.search ?? ''}
      {...(onKeyDown === undefined
        ? {}
        : {
            onKeyDown: (event: KeyboardEvent) => {
              if (onKeyDown(event.key)) event.preventDefault();
              else event.continuePropagation();
            },
          })}
      {...(maxLength === undefined ? {} : { maxLength })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    >
      <Search size={14} aria-hidden />
      <Input className={styles.input ?? ''} placeholder={label} ref={inputRef} {...inputProps} />
      <Button className={styles.clear ?? ''} aria-label={texts.forms.clear}>
        <X size={13} />
      </Button>
    </AriaSearchField>
  );
}

export { styles as fieldStyles };
