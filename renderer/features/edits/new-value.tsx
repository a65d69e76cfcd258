import type { AnyField } from '../../../shared/model/edits/collection-ops.ts';
import { TextField } from '../../kit/components/forms/field.tsx';
import { RichTextField } from '../../kit/components/rich-text/rich-text-field.tsx';

interface NewValueProps {
  field: AnyField;
  label: string;
  value: string;
  error?: { message: string } | null;
  autoFocus: boolean;
  onChange: (value: string) => void;
}

/** The field for another text of an edit: an editor with formatting for a description, a single line otherwise. */
export function NewValue({ field, label, value, error = null, autoFocus, onChange }: NewValueProps) {
  if (field === 'description') return <RichTextField {...{ label, error, autoFocus, onChange }} html={value} />;
  return <TextField {...{ label, value, error, autoFocus, onChange }} />;
}
