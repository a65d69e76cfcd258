import { useState } from 'react';
import { htmlToText, PARAGRAPHS } from '../../../../shared/api/html-text.ts';
import { TextField } from '../../../components/forms/field.tsx';
import { hasFormatting, plainToHtml } from '../../../stores/library/description.ts';
import { texts } from './texts.ts';

interface DescriptionFieldProps {
  /** The description as HTML. */
  html: string;
  onChange: (html: string) => void;
  error: { message: string } | null;
  isReadOnly: boolean;
}

/** The description of an item: as text, or as HTML source when it has formatting that text can't have. */
export function DescriptionField({ html, onChange, error, isReadOnly }: DescriptionFieldProps) {
  const isSource = hasFormatting(html);
  const shown = isSource ? html : htmlToText(html, PARAGRAPHS);
  // The typed text, with blanks that HTML doesn't keep; replaced when the description changes elsewhere.
  const [typed, setTyped] = useState({ html, text: shown });
  const text = typed.html === html ? typed.text : shown;
  const type = (next: string) => {
    const written = isSource ? next : plainToHtml(next);
    setTyped({ html: written, text: next });
    onChange(written);
  };
  return (
    <TextField
      label={texts.description.label}
      rows={6}
      value={text}
      onChange={type}
      error={error}
      isReadOnly={isReadOnly}
      spellCheck={isSource ? 'false' : 'true'}
      {...(isSource ? { hint: texts.description.source } : {})}
    />
  );
}
