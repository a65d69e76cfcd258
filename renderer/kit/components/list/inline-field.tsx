import { useEffect, useEffectEvent, useRef, useState } from 'react';
import styles from './inline-field.module.css';

/** How the field was left: by Enter, by Tab or Shift+Tab, by a click elsewhere, or by Escape. */
export type InlineEnd = 'enter' | 'next' | 'previous' | 'blur' | 'escape';

interface InlineFieldProps {
  label: string;
  value: string;
  maxLength?: number;
  /** Tab and Shift+Tab store the text, too. */
  takesTab?: boolean;
  /** The text can't be edited after all: the field ends as with Escape. */
  isOver?: boolean;
  onChange?: (text: string) => void;
  /**
   * Stores the text. Returns false when it can't: the field then keeps it, so that the user can correct or copy it. The caller
   * reports the reason.
   */
  onCommit: (text: string) => Promise<boolean>;
  /** The field is no longer needed. */
  onEnd: (by: InlineEnd) => void;
}

/**
 * A text that is edited in its row of a list or tree. Enter or a click elsewhere stores it, Escape keeps the old one; the focus
 * returns to the list, unless it is elsewhere by then.
 */
export function InlineField(props: InlineFieldProps) {
  const { label, value, maxLength, takesTab = false, isOver = false, onChange, onCommit, onEnd } = props;
  const [text, setText] = useState(value);
  const [state, setState] = useState<'typing' | 'saving' | 'failed'>('typing');
  const field = useRef<HTMLInputElement>(null);
  // Moving the keyboard focus away blurs the field, which would store the text a second time.
  const hasEnded = useRef(false);
  useEffect(() => field.current?.select(), []);

  const end = (by: InlineEnd) => {
    hasEnded.current = true;
    const list = field.current?.closest<HTMLElement>('[role="tree"], [role="grid"]');
    if (document.activeElement === field.current || document.activeElement === document.body) {
      list?.focus({ preventScroll: true });
    }
    onEnd(by);
  };
  const cancel = useEffectEvent(() => end('escape'));
  useEffect(() => {
    if (isOver) cancel();
  }, [isOver]);
  const commit = async (by: InlineEnd) => {
    if (state === 'saving' || hasEnded.current) return;
    setState('saving');
    if (await onCommit(text)) {
      end(by);
      return;
    }
    setState('failed');
    field.current?.focus();
  };
  return (
    <input
      ref={field}
      className={styles.field}
      aria-label={label}
      aria-invalid={state === 'failed'}
      readOnly={state === 'saving'}
      value={text}
      maxLength={maxLength}
      spellCheck
      // biome-ignore lint/a11y/noAutofocus: the user asked to edit this text
      autoFocus
      onChange={(event) => {
        setText(event.target.value);
        onChange?.(event.target.value);
        setState('typing');
      }}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onContextMenu={(event) => event.stopPropagation()}
      onBlur={() => {
        if (state === 'typing') void commit('blur');
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        const isTab = event.key === 'Tab' && takesTab;
        if (event.key === 'Enter' || isTab) {
          event.preventDefault();
          void commit(isTab ? (event.shiftKey ? 'previous' : 'next') : 'enter');
        }
        if (event.key === 'Escape') {
          event.preventDefault();
          end('escape');
        }
      }}
    />
  );
}
