import { useEffect, useId, useRef, useState } from 'react';
import { TextArea, TextField } from 'react-aria-components';
import { parseHtml, readHtml } from '../../../../shared/model/rich-text/parse-html.ts';
import { serializeHtml } from '../../../../shared/model/rich-text/serialize-html.ts';
import { Button, classes } from '../button.tsx';
import { fieldStyles } from '../forms/field.tsx';
import { texts } from '../texts.ts';
import type { RichStatus } from './commands.ts';
import type { Editor } from './editor.ts';
import { FormatToolbar } from './format-toolbar.tsx';
import { LinkForm } from './link-form.tsx';
import styles from './rich-text.module.css';

interface RichTextFieldProps {
  label: string;
  html: string;
  /** Called with the new HTML when the user changes the text, never because the editor writes markup differently. */
  onChange: (html: string) => void;
  error: { message: string } | null;
  isReadOnly?: boolean;
  /** The field has the focus when it appears. */
  autoFocus?: boolean;
}

/**
 * A field of formatted text with a toolbar. HTML that it can't show without loss is edited as source, and a line names the parts
 * that the editor can't show.
 */
export function RichTextField(props: RichTextFieldProps) {
  const { label, html, onChange, error, isReadOnly = false, autoFocus = false } = props;
  const id = useId();
  const [lost, setLost] = useState(() => readHtml(html).lost);
  const [isSource, setIsSource] = useState(lost.length > 0);
  const [isLinking, setIsLinking] = useState(false);
  const [status, setStatus] = useState<RichStatus | null>(null);
  const editor = useRef<Editor | null>(null);
  const known = useRef(html);
  /** Whether the editor takes the focus: only when the field appears, not when the user switches to the source and back. */
  const takesFocus = useRef(autoFocus);
  useEffect(() => {
    takesFocus.current = false;
  }, []);
  const change = (next: string) => {
    known.current = next;
    onChange(next);
  };
  // The text changed elsewhere: the edit was reverted, or the value of another user was accepted.
  useEffect(() => {
    if (html === known.current) return;
    known.current = html;
    const found = readHtml(html).lost;
    setLost(found);
    if (found.length > 0) setIsSource(true);
    else editor.current?.setHtml(html);
  }, [html]);
  useEffect(() => editor.current?.setReadOnly(isReadOnly), [isReadOnly]);

  const showFormatted = () => {
    const found = readHtml(html).lost;
    setLost(found);
    setIsSource(found.length > 0);
  };
  const convert = () => {
    change(serializeHtml(parseHtml(html).doc));
    setLost([]);
    setIsSource(false);
  };
  const toolbar = (
    <FormatToolbar
      label={label}
      status={isSource ? null : status}
      isSource={isSource}
      isReadOnly={isReadOnly}
      onCommand={(command) => editor.current?.run(command)}
      onLink={() => setIsLinking(true)}
      onSource={() => (isSource ? showFormatted() : setIsSource(true))}
    />
  );
  return (
    <div className={fieldStyles.field}>
      <span className={fieldStyles.label} id={`${id}-label`}>
        {label}
      </span>
      <div className={classes(styles.box, error !== null && styles.invalid)}>
        {toolbar}
        {isLinking && !isSource ? (
          <LinkForm
            href={status?.href ?? null}
            onSubmit={(href) => {
              setIsLinking(false);
              editor.current?.link(href);
            }}
            onCancel={() => {
              setIsLinking(false);
              editor.current?.focus();
            }}
          />
        ) : null}
        {isSource ? (
          <TextField
            aria-label={texts.richText.sourceOf(label)}
            value={html}
            onChange={change}
            isReadOnly={isReadOnly}
            autoFocus={takesFocus.current}
            spellCheck="false"
            isInvalid={error !== null}
            validationBehavior="aria"
            {...(error === null ? {} : { 'aria-describedby': `${id}-error` })}
          >
            <TextArea className={styles.source ?? ''} rows={8} />
          </TextField>
        ) : (
          <EditorPlace
            label={label}
            html={html}
            isReadOnly={isReadOnly}
            editor={editor}
            autoFocus={takesFocus.current}
            errorId={error === null ? null : `${id}-error`}
            onChange={change}
            onStatus={setStatus}
            onLink={() => setIsLinking(true)}
          />
        )}
      </div>
      {isSource && lost.length > 0 ? (
        <div className={styles.lost}>
          <span>{texts.richText.lost(lost.filter((what) => what !== ''))}</span>
          {isReadOnly ? null : (
            <Button variant="link" onPress={convert}>
              {texts.richText.convert}
            </Button>
          )}
        </div>
      ) : null}
      {error === null ? null : (
        <span className={fieldStyles.error} id={`${id}-error`}>
          {error.message}
        </span>
      )}
    </div>
  );
}

interface EditorPlaceProps {
  label: string;
  html: string;
  isReadOnly: boolean;
  autoFocus: boolean;
  editor: { current: Editor | null };
  /** The id of the error message; null when there is none. */
  errorId: string | null;
  onChange: (html: string) => void;
  onStatus: (status: RichStatus) => void;
  onLink: () => void;
}

/** The element of the editor, whose code is loaded when it is first shown. */
function EditorPlace(props: EditorPlaceProps) {
  const { editor: mounted, errorId } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    let isMounted = true;
    const { editor, autoFocus } = latest.current;
    void import('./editor.ts').then(({ mountEditor }) => {
      if (!isMounted || place.current === null) return;
      const { label, html, isReadOnly, errorId: invalid } = latest.current;
      editor.current = mountEditor(place.current, {
        html,
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-label': label,
          class: classes(styles.formatted, styles.text),
          spellcheck: 'true',
          dir: 'auto',
          tabindex: '0',
        },
        onChange: (next) => latest.current.onChange(next),
        onStatus: (status) => latest.current.onStatus(status),
        onLink: () => latest.current.onLink(),
      });
      editor.current.setReadOnly(isReadOnly);
      editor.current.setError(invalid);
      if (!autoFocus) return;
      editor.current.focus();
      // The focus of the editor does not scroll.
      place.current.scrollIntoView({ block: 'nearest' });
    });
    return () => {
      isMounted = false;
      editor.current?.destroy();
      editor.current = null;
    };
  }, []);
  useEffect(() => mounted.current?.setError(errorId), [mounted, errorId]);
  return <div ref={place} />;
}
